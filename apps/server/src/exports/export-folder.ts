/**
 * Returns the name of a chat's folder. Every system can store it: the number at the beginning also makes it
 * different from the names of devices, and of other chats where case makes no difference.
 */
export function folderOf(number: number, username: string): string {
  const name = username.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}_-]/gu, '_');
  return `${String(number).padStart(4, '0')} ${name}`;
}

/** Returns the name of a page of messages, from 1. */
export function pageName(page: number): string {
  return page === 1 ? 'index.html' : `messages-${String(page).padStart(4, '0')}.html`;
}

/** Returns a link to a path of an archive. */
export function toLink(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
