/** The reason for an inconclusive case without a supplied document. */
export const noDocument = 'no document was supplied';
