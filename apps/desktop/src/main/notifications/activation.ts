import { trimText } from '@parley/contract';
import type { ActivationArguments, NotificationResponse } from 'electron';

/** A user's action on a notification whose own events may no longer reach the app. */
export interface Activation {
  /** Id of the notification, unless the system does not report it. */
  id?: string;
  /** Text of the reply, if the user wrote one. */
  reply?: string;
}

/** Parses the arguments of an activation on Windows, such as `type=reply&tag=<id>`. */
export function parseWindowsActivation(details: ActivationArguments): Activation {
  const id = new URLSearchParams(details.arguments).get('tag');
  const reply = details.type === 'reply' ? trimText(details.reply ?? '') : '';
  return { ...(id !== null && { id }), ...(reply !== '' && { reply }) };
}

/**
 * Parses the launch information of macOS, which names a clicked notification or a reply. Returns `undefined`
 * for any other start.
 */
export function parseLaunchActivation(
  info: Record<string, unknown> | NotificationResponse | undefined,
): Activation | undefined {
  const { identifier, actionIdentifier, userText } = info ?? {};
  if (typeof identifier !== 'string' || identifier === '') return undefined;
  if (typeof actionIdentifier === 'string' && /dismiss/i.test(actionIdentifier)) return undefined;
  const reply = typeof userText === 'string' ? trimText(userText) : '';
  return { id: identifier, ...(reply !== '' && { reply }) };
}
