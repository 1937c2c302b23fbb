/** The statuses with which a login return may be refused: besides a wrong request, the login itself may have failed. */
export const refusals: readonly number[] = [400, 401, 403, 404, 409];

/** The same for people. */
export const anyRefusal = 'one of 400, 401, 403, 404 and 409';
