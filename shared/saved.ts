/** Name and version of the format of saved answers. Apart from the wire's schemas, which the page does without. */
export const SAVED_FORMAT = 'looplight-answer';
export const SAVED_VERSION = 1;
