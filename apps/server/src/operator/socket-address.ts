import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** Maximum length of a Unix socket's path in bytes, without the NUL that ends it. */
const PATH_MAX = process.platform === 'linux' ? 107 : 103;
const SOCKET = 'socket';
const ADDRESS = 'address';
const UNPUBLISHED_ADDRESS = 'address.part';

/**
 * The addresses that servers publish. A data folder may come from elsewhere, so no other path in it is
 * trusted.
 */
const PUBLISHED =
  process.platform === 'win32'
    ? /^\\\\\.\\pipe\\parley-[0-9a-f]{32}$/
    : /^(?:socket|\/(?:.*\/)?parley-\w{6}\/socket)$/;

/** The socket or pipe on which a server accepts commands. */
export interface SocketAddress {
  /** Path of the socket, or name of the pipe. */
  readonly path: string;
  /** Publishes the address to commands. Call it once the server listens. */
  publish(): void;
  /** Removes the socket and its folder. */
  remove(): void;
}

/**
 * Prepares a place for the socket that only this user can reach: the folder `operator` in the data
 * folder, or a new folder of the system's temporary files if the path would be too long for a
 * socket. A file in `operator` names the place, so it need not be predictable, and no other user
 * can claim it first. Removes the files of a killed server, so the caller must hold the lock of the
 * data folder.
 *
 * On Windows the place is a named pipe with a random name. Node passes no security attributes to
 * CreateNamedPipe unless asked for `readableAll` or `writableAll`, and the default descriptor
 * grants full access to the creating user, administrators and LocalSystem only. Other users may
 * read, which is not enough to send a request. Node also insists on the first instance of the pipe,
 * so listening fails if another program has taken the name. All of this is from the documentation
 * and the source of libuv; no test has run on Windows.
 * https://learn.microsoft.com/windows/win32/ipc/named-pipe-security-and-access-rights
 * https://github.com/libuv/libuv/blob/v1.x/src/win/pipe.c
 *
 * @throws a file system error.
 */
export function createSocketAddress(dataDir: string): SocketAddress {
  removeSocket(dataDir);
  const folder = operatorFolder(realpathSync(dataDir));
  // It is still there if it contains files of others.
  mkdirSync(folder, { mode: 0o700, recursive: true });
  chmodSync(folder, 0o700);
  const address = chooseAddress(folder);
  return {
    path: resolve(folder, address),
    publish() {
      const part = join(folder, UNPUBLISHED_ADDRESS);
      writeFileSync(part, address, { mode: 0o600 });
      renameSync(part, addressFile(folder));
    },
    remove: () => removeSocket(dataDir),
  };
}

/**
 * Finds the socket of a data folder, which may be a stale one. Returns undefined if there is none
 * or if its folder is not private.
 * @throws a file system error if this user has no access.
 */
export function findSocketPath(dataDir: string): string | undefined {
  const folder = operatorFolder(dataDir);
  const address = readAddress(folder);
  if (address === undefined || process.platform === 'win32') return address;
  if (isAbsolute(address)) return isPrivateFolder(dirname(address), folder) ? address : undefined;
  // Outside the server's container, the path may be longer than inside it.
  const path = join(realpathSync(folder), address);
  return fitsSocketPath(path) ? path : undefined;
}

function operatorFolder(dataDir: string): string {
  return join(dataDir, 'operator');
}

function addressFile(folder: string): string {
  return join(folder, ADDRESS);
}

function chooseAddress(folder: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\parley-${randomBytes(16).toString('hex')}`;
  if (fitsSocketPath(join(folder, SOCKET))) return SOCKET;
  const prefix = join(tmpdir(), 'parley-');
  const isPrefixShort = fitsSocketPath(join(`${prefix}XXXXXX`, SOCKET));
  return join(mkdtempSync(isPrefixShort ? prefix : '/tmp/parley-'), SOCKET);
}

function fitsSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= PATH_MAX;
}

function readAddress(folder: string): string | undefined {
  try {
    const address = readFileSync(addressFile(folder), 'utf8');
    return PUBLISHED.test(address) ? address : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Returns whether a folder outside the data folder belongs to the server's user and is closed to
 * others. After a crash and a cleanup of temporary files, another user may have created a folder of
 * the same name.
 */
function isPrivateFolder(path: string, folder: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const isOwn = found?.isDirectory() === true && found.uid === lstatSync(folder).uid;
  return isOwn && (found.mode & 0o077) === 0;
}

function removeSocket(dataDir: string): void {
  const folder = operatorFolder(dataDir);
  const path = findSocketPath(dataDir);
  if (
    path !== undefined &&
    process.platform !== 'win32' &&
    dirname(path) !== realpathSync(folder)
  ) {
    removeFiles(dirname(path), [SOCKET]);
  }
  // A data folder from elsewhere could contain a link to another folder.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(folder);
  else removeFiles(folder, [SOCKET, ADDRESS, UNPUBLISHED_ADDRESS]);
}

/** Removes files from a folder, and the folder unless it contains others. */
function removeFiles(folder: string, names: readonly string[]): void {
  try {
    for (const name of names) rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
  } catch (error) {
    const isKept = error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY';
    if (!isKept && !isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  );
}
