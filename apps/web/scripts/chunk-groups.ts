import type { Rolldown } from 'vite';
import { parseTextsModule, SCREENS_MODULE, START_MODULES, TOASTS_MODULE } from './start-modules.ts';

type CodeSplitting = Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>;
type ChunkGroup = NonNullable<CodeSplitting['groups']>[number];
type ChunkingContext = Parameters<Extract<ChunkGroup['name'], (...args: never[]) => unknown>>[1];

const GUEST_SCREEN =
  /\/features\/(?:deleted-account|invite|not-found|privacy|register|reset|verify)\//;

/** The names of emoji, which the picker and the suggestions search. */
const EMOJI_DATA =
  /\/emoji-picker-react\/dist\/esm\/(?:data|chunks)|\/input-bar\/emoji\/(?:search|rank)-emoji/;

/**
 * Groups of modules that share a chunk. On a slow connection, a request costs more than the bytes of many modules,
 * so a start loads a few large chunks: `app` for everyone, `common` and `chats` for signed-in users.
 */
export const CHUNK_GROUPS: ChunkGroup[] = [
  { name: 'app', tags: ['$initial'], priority: 6 },
  { name: findTextsGroup, debugName: 'texts of screens', priority: 5 },
  // What the screens for guests share with others, so that guests do not load `chats`.
  { name: createGuestGroup('common'), debugName: 'common', minShareCount: 2, priority: 4 },
  // These two include what the modules import.
  { name: 'Toasts', test: (id) => id === TOASTS_MODULE, priority: 3 },
  { name: 'chats', test: (id) => START_MODULES.user.includes(id), priority: 2 },
  // Not in `shared`, which every screen loads.
  { name: 'emoji-data', test: EMOJI_DATA, priority: 2 },
  { name: 'shared', minShareCount: 2, priority: 1 },
];

/** The files with texts that have a chunk of their own, as they load at another time than the screens. */
const SEPARATE_TEXTS = new Set([
  'app',
  'causes',
  'data',
  'desktop',
  'dialogs',
  'information',
  'invitations',
  'keyboard',
  'list',
  'selection',
  'settings',
  'share',
]);

/** Returns one group per language for the texts of the screens. */
function findTextsGroup(id: string): string | null {
  const { file, language } = parseTextsModule(id) ?? {};
  return file === undefined || SEPARATE_TEXTS.has(file) ? null : `screens-${language}`;
}

/** Creates a group for everything that the screens for guests import. */
function createGuestGroup(name: string): ChunkGroup['name'] {
  let members: ReadonlySet<string> | undefined;
  return (id, context) => {
    members ??= findGuestModules(context);
    return members.has(id) ? name : null;
  };
}

function findGuestModules(context: ChunkingContext): ReadonlySet<string> {
  const screens = context.getModuleInfo(SCREENS_MODULE)?.dynamicallyImportedIds ?? [];
  const found = new Set(screens.filter((id) => GUEST_SCREEN.test(id)));
  // The set grows during the iteration, which includes what is added.
  for (const id of found) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}
