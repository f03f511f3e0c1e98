/** The lane of what changes messages, so that the changes of each message are sent in order. */
export const MESSAGES_LANE = 'messages';
