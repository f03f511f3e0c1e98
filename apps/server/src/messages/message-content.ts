import { cleanText, contentKind, isSendable } from '@parley/contract';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { mediaFile, mediaPrefix } from '../media/media-url.ts';

/** What somebody wants to send: a text, or the upload whose file has this name. */
export type Draft = { kind: 'text'; text: string } | { kind: 'media'; file: string };

/**
 * Reads the content of a request as clients will show it: what they would show as a picture or a
 * player is an upload, everything else text.
 * @throws {AppError} `invalid_request` for a text that is empty or too long, `media_invalid` for a
 * URL that no upload can have.
 */
export function readContent(config: Config, content: string): Draft {
  // Half a surrogate pair has no UTF-8: the database would give back another text than was sent.
  const text = cleanText(content.toWellFormed());
  if (!isSendable(text)) throw new AppError('invalid_request');
  if (contentKind(text, mediaPrefix(config)) === 'text') return { kind: 'text', text };
  const file = mediaFile(config, text);
  if (file === undefined) throw new AppError('media_invalid');
  return { kind: 'media', file };
}

/**
 * Reads the new content of a text message.
 * @throws {AppError} as {@link readContent}, and `media_invalid` if it names an upload.
 */
export function readText(config: Config, content: string): string {
  const draft = readContent(config, content);
  if (draft.kind !== 'text') throw new AppError('media_invalid');
  return draft.text;
}
