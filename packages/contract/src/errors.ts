/** All error codes of the server, with their HTTP statuses. */
export const ERROR_STATUS = {
  invalid_request: 400,
  username_not_allowed: 400,
  email_not_supported: 400,
  already_verified: 400,
  wrong_password: 400,
  self_chat: 400,
  media_not_editable: 400,
  search_too_short: 400,
  push_endpoint_refused: 400,
  unauthenticated: 401,
  self_search: 401,
  reset_key_wrong: 401,
  foreign_origin: 403,
  not_sender: 403,
  partner_deleted: 403,
  partner_blocked: 403,
  request_not_accepted: 403,
  reaction_limit: 403,
  pin_limit: 403,
  not_accepting_messages: 403,
  account_suspended: 403,
  registration_closed: 403,
  invitation_invalid: 403,
  domain_not_allowed: 403,
  link_invalid: 403,
  quota_media: 403,
  quota_messages: 403,
  quota_invitations: 403,
  media_blocked: 403,
  not_found: 404,
  wrong_credentials: 404,
  user_not_found: 404,
  room_not_found: 404,
  message_not_found: 404,
  media_not_found: 404,
  too_slow: 408,
  account_taken: 409,
  already_accepted: 409,
  export_unfinished: 409,
  key_mismatch: 409,
  too_large: 413,
  media_too_complex: 413,
  recording_too_long: 413,
  unsupported_media: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const satisfies Record<string, number>;

/** A code that identifies an error. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** Returns whether a received value is an error code known to this version. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_STATUS, value);
}
