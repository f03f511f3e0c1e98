/** A permission request or check of Chromium. */
export interface PermissionRequest {
  permission: string;
  /** Requesting origin as Chromium writes it. */
  requestingOrigin: string;
  isMainFrame: boolean;
  /** Requested kinds of media; may be empty. */
  mediaTypes: readonly string[];
}

/** The rules by which permissions are decided. */
export interface PermissionRules {
  /** The only origin that can get permissions. */
  trustedOrigin: string;
  /** The user's setting. */
  isMicrophoneAllowed: boolean;
}

/** Permissions that the page always gets, each with its reason. */
const GRANTED = new Set([
  // For copying a message's text.
  'clipboard-sanitized-write',
  // For the image viewer.
  'fullscreen',
  // The server may be in the local network.
  'local-network',
  'local-network-access',
  'loopback-network',
  // Drafts and unsent messages should not be evicted.
  'persistent-storage',
]);

/**
 * Decides whether a page gets a permission. Denies everything that is not listed, whereas Electron grants all by
 * default. The main process shows notifications, so the page needs no permission for them.
 */
export function decidePermission(request: PermissionRequest, rules: PermissionRules): boolean {
  const origin = URL.parse(request.requestingOrigin)?.origin;
  if (origin !== rules.trustedOrigin || !request.isMainFrame) return false;
  if (request.permission === 'media') {
    const isAudioOnly = request.mediaTypes.length === 1 && request.mediaTypes[0] === 'audio';
    return isAudioOnly && rules.isMicrophoneAllowed;
  }
  return GRANTED.has(request.permission);
}
