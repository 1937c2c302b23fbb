/** Why nothing is judged where the user gave no document. */
export const noDocument = 'no document was supplied';
