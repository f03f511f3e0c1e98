import { cleanText, isSendable, type SendBody, type TextualKind } from '@parley/contract';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { findUploadId } from '../media/media-url.ts';

/** What a request sends: an upload, or a text. */
export interface MessageBody {
  /**
   * Id of the upload, if any. Not checked yet: the sender may not own it, or may have sent it already.
   */
  readonly uploadId: string | undefined;
  /** The text to send if there is no such upload. Undefined if only the upload may be sent. */
  readonly text: string | undefined;
  /** The kind of a message with the text. */
  readonly textKind: TextualKind;
}

/**
 * Parses what a request sends.
 * @throws {AppError} `invalid_request` if a text is empty or too long, or unless there is either content or an id.
 */
export function parseBody(
  config: Config,
  { content, uploadId }: Pick<SendBody, 'content' | 'uploadId'>,
): MessageBody {
  if ((content === undefined) === (uploadId === undefined)) throw new AppError('invalid_request');
  if (content === undefined)
    return { uploadId: uploadId?.toLowerCase(), text: undefined, textKind: 'text' };
  const text = parseText(content);
  return { uploadId: findUploadId(config, text), text, textKind: 'text' };
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
