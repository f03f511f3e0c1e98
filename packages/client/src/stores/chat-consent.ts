/** What the user has decided about a partner who has written first. Nothing is present for an accepted partner. */
export interface ChatConsent {
  /** Present and true for a quiet request. */
  isRequest?: boolean;
  /** Present and true if the partner is not accepted yet, but writes like any other. */
  isUndecided?: boolean;
}

/** Returns only the consent of a response, an event or a stored value. */
export function toConsent({ isRequest, isUndecided }: ChatConsent): ChatConsent {
  return { ...(isRequest && { isRequest }), ...(isUndecided && { isUndecided }) };
}

/** Returns whether the user has not accepted the partner. */
export function isUnaccepted({ isRequest = false, isUndecided = false }: ChatConsent): boolean {
  return isRequest || isUndecided;
}

/** Returns whether two values have the same consent. */
export function hasSameConsent(a: ChatConsent, b: ChatConsent): boolean {
  const { isRequest = false, isUndecided = false } = a;
  return isRequest === (b.isRequest ?? false) && isUndecided === (b.isUndecided ?? false);
}
