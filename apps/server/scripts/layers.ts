interface Rule {
  readonly why: string;
  readonly isBroken: (from: string, to: string) => boolean;
}

// Entry points handle a request or a command first.
const isEntry = (path: string) => path.endsWith('.routes.ts') || path.startsWith('cli/');
const isRepository = (path: string) => path.endsWith('.repository.ts');

const isMadeOfUrls = (path: string) =>
  path === 'media/media-url.ts' || path === 'messages/message.wire.ts';
const knowsUrls = (path: string) =>
  /\.routes\.ts$|^realtime\/|^messages\/message(?:-body|\.wire)\.ts$/.test(path);

/** Which files of the server may import which others and which packages, by their paths below `src/`. */
export const LAYER_RULES: readonly Rule[] = [
  {
    why: 'routes and commands use services, not repositories',
    isBroken: (from, to) => isEntry(from) && isRepository(to),
  },
  {
    why: 'routes use services, not the storage',
    isBroken: (from, to) => from.endsWith('.routes.ts') && folderOf(to) === 'storage',
  },
  {
    why: 'URLs of uploads are parsed on the way in and made on the way out',
    isBroken: (from, to) => isMadeOfUrls(to) && !knowsUrls(from),
  },
  {
    why: 'a feature uses another one through its service, not its repository',
    isBroken: (from, to) => isRepository(to) && folderOf(from) !== folderOf(to),
  },
  {
    why: 'a repository contains queries and does not use services',
    isBroken: (from, to) => isRepository(from) && to.endsWith('.service.ts'),
  },
  {
    why: 'the storage does not depend on features',
    isBroken: (from, to) =>
      folderOf(from) === 'storage' &&
      to.endsWith('.ts') &&
      !/^(?:storage\/|scheduling\/|(?:bounded-cache|domain-events)\.ts$)/.test(to),
  },
  {
    why: 'only the storage depends on its engine',
    isBroken: (from, to) =>
      folderOf(from) !== 'storage' &&
      (/^storage\/(?:sqlite|postgres)\//.test(to) || to === 'better-sqlite3' || to === 'pg'),
  },
  {
    why: 'only repositories and the storage build queries',
    isBroken: (from, to) =>
      /^kysely(?:\/|$)/.test(to) && folderOf(from) !== 'storage' && !isRepository(from),
  },
];

/** Returns the top-level folder of a file, or the path itself if the file is in no folder. */
function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}
