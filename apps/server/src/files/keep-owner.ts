import { chown, lchown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * If root runs a command, gives everything in a work folder to the owner of the folder into which it will be
 * moved, so that the server's user can write to it. Does nothing for other users.
 */
export async function giveToOwnerOf(target: string, work: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(target);
  if (uid === 0 && gid === 0) return;
  await chown(work, uid, gid);
  for (const { name, parentPath } of await readdir(work, {
    withFileTypes: true,
    recursive: true,
  })) {
    await lchown(join(parentPath, name), uid, gid);
  }
}
