/**
 * The refusal code of an undo whose provider says that there is nothing of this kind. After a known
 * success that is a contradiction a person must look at, not a success.
 */
export const NO_SUCH_THING = 'no-such-thing';
