import { cleanText, contentKind, isSendable } from '@parley/contract';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { mediaFile, mediaPrefix } from '../media/media-url.ts';

/** The parsed content of a request to send a message. */
export interface ParsedContent {
  text: string;
  /**
   * File name of the upload if the text is the URL of one. Not checked yet: the sender may not own
   * the upload, or may have sent it already.
   */
  file: string | undefined;
}

/**
 * Parses the content of a request to send a message.
 * @throws {AppError} `invalid_request` if the text is empty or too long.
 */
export function parseContent(config: Config, content: string): ParsedContent {
  const text = parseText(content);
  const isMedia = contentKind(text, mediaPrefix(config)) !== 'text';
  return { text, file: isMedia ? mediaFile(config, text) : undefined };
}

/**
 * Parses content that is always text, even if it is the URL of an upload.
 * @throws {AppError} `invalid_request` if the text is empty or too long.
 */
export function parseText(content: string): string {
  // Lone surrogates cannot be encoded as UTF-8, so the database would return a different text.
  const text = cleanText(content.toWellFormed());
  if (!isSendable(text)) throw new AppError('invalid_request');
  return text;
}
