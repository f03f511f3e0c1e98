/** A question of Chromium's, as its request and its check handler ask it. */
export interface PermissionQuestion {
  permission: string;
  /** Origin that asks, as Chromium writes it. */
  requestingOrigin: string;
  isMainFrame: boolean;
  /** Kinds of media that are asked for; empty where the question names none. */
  mediaTypes: readonly string[];
}

/** What decides about permissions. */
export interface PermissionRules {
  /** The only origin that may get anything. */
  trustedOrigin: string;
  /** The person's own choice. */
  isMicrophoneAllowed: boolean;
}

/** Permissions that the page gets without conditions of their own; each has its reason. */
const GRANTED = new Set([
  // «Copy text» of a message.
  'clipboard-sanitized-write',
  // A picture opened large.
  'fullscreen',
  // The server may well stand in the home network.
  'local-network',
  'local-network-access',
  'loopback-network',
  // Drafts and unsent messages shall not be cleared for space.
  'persistent-storage',
]);

/**
 * Decides whether a page gets a permission. Everything is denied but what is named: Electron alone would
 * grant all. Notifications come from the main process, so the page needs none of its own.
 */
export function decidePermission(question: PermissionQuestion, rules: PermissionRules): boolean {
  const origin = URL.parse(question.requestingOrigin)?.origin;
  if (origin !== rules.trustedOrigin || !question.isMainFrame) return false;
  if (question.permission === 'media') {
    const isAudioOnly = question.mediaTypes.length === 1 && question.mediaTypes[0] === 'audio';
    return isAudioOnly && rules.isMicrophoneAllowed;
  }
  return GRANTED.has(question.permission);
}
