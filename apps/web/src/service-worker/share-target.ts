import {
  checkImageFile,
  SHARE,
  SHARE_ID_PARAM,
  SHARE_PATH,
  shareErrorPath,
  trimText,
  UI,
  type ShareError,
} from '@parley/contract';
import { judgeImage } from '@parley/renderer/judge-image';
import type { SharedContent } from '@parley/renderer/shared-content';
import { addSharedContent } from '../shared-content/shared-content-cache.ts';

/** Returns whether a request brings content that another app shared with the installed app. */
export function isShare({ method, mode, url }: Request): boolean {
  return method === 'POST' && mode === 'navigate' && new URL(url).pathname === SHARE_PATH;
}

/**
 * Stores shared content, and redirects to the screen where the user chooses a chat. Other sites can send such
 * requests, too. That is harmless, as nothing is sent without the user, and the amount is limited.
 */
export async function receiveShare(request: Request): Promise<Response> {
  const outcome = await store(request);
  const path =
    'id' in outcome
      ? `${SHARE_PATH}?${SHARE_ID_PARAM}=${outcome.id}`
      : shareErrorPath(outcome.error);
  return Response.redirect(path, 303);
}

async function store(request: Request): Promise<{ id: string } | { error: ShareError }> {
  let form: FormData;
  try {
    form = await request.formData();
  } catch {
    return { error: 'unreadable' };
  }
  const text = readText(form);
  const isTooLong = text.length > SHARE.textMax;
  const images: File[] = [];
  const refusals: SharedContent['refused'][number][] = [];
  if (isTooLong) refusals.push({ name: '', reason: 'text' });
  for (const file of form.getAll('files')) {
    // A form without a chosen file has an empty one without a name.
    if (typeof file === 'string' || (file.name === '' && file.size === 0)) continue;
    const { refusal, type = '' } = await checkImageFile(file);
    const name = shortenName(file.name);
    const image = new File([file], name, { type });
    const isRefused = refusal !== undefined && !(refusal === 'size' && (await canShrink(image)));
    const isTooMany = images.length >= UI.unsentImagesMax;
    if (isRefused) refusals.push({ name, reason: refusal });
    else if (isTooMany) refusals.push({ name, reason: 'count' });
    else images.push(image);
  }
  if (text === '' && images.length === 0 && refusals.length === 0) return { error: 'nothing' };
  const refused = refusals.slice(0, SHARE.refusedMax);
  try {
    const id = await addSharedContent({
      text: isTooLong ? '' : text,
      images,
      refused,
      refusedMore: refusals.length - refused.length,
    });
    return id === undefined ? { error: 'full' } : { id };
  } catch {
    return { error: 'storage' };
  }
}

/** Resolves to whether the page can offer a smaller copy of an image that is too large. */
async function canShrink(image: Blob): Promise<boolean> {
  return (await judgeImage(image)).state === 'shrinkable';
}

/** Returns the title, the text and the link, without what another of them contains already. */
function readText(form: FormData): string {
  const parts = ['title', 'text', 'url']
    .map((name) => form.get(name))
    .map((value) => (typeof value === 'string' ? trimText(value) : ''));
  return parts
    .filter((part, index) => {
      const others = parts.filter((other, at) => (other === part ? at < index : at !== index));
      return part !== '' && !others.some((other) => other.includes(part));
    })
    .join('\n');
}

/** Shortens a long name in its middle, so that its extension stays. */
function shortenName(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= SHARE.nameMax) return name;
  return [...characters.slice(0, SHARE.nameMax - 21), '…', ...characters.slice(-20)].join('');
}
