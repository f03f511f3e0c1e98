import { join } from 'node:path';
import type { TextFile } from '@parley/texts';
import { normalizePath, type Rolldown } from 'vite';

const RENDERER = join(import.meta.dirname, '../../../packages/renderer/src');

/** The module with the imports of all screens but the login. */
export const SCREENS_MODULE = resolve('routes/screens.ts');

/** The toasts, which every screen loads once it is shown. */
export const TOASTS_MODULE = resolve('ui/Toasts.tsx');

/** The modules that a start loads in addition to those that the login needs, too. */
export const START_MODULES = {
  /** For every signed-in user. The first includes the chat list. */
  user: [
    resolve('features/frame/SignedInFrame.tsx'),
    resolve('features/frame/NoChatOpen.tsx'),
    resolve('browser/offline-data.ts'),
  ],
  /** For a start with a chatroom. */
  room: [resolve('features/chatroom/ChatroomPage.tsx')],
} as const;

/** Returns the id of a module of the renderer. */
function resolve(path: string): string {
  return normalizePath(join(RENDERER, path));
}

/** Returns the language and the name of a file with texts, or undefined for any other module. */
export function parseTextsModule(id: string): { language: string; file: string } | undefined {
  const [, language, file] = /[\\/]texts[\\/](\w+)[\\/](\w+)\.json$/.exec(id) ?? [];
  return language === undefined || file === undefined ? undefined : { language, file };
}

/** Returns whether a chunk is loaded for a module. */
type IsWanted = (chunk: Rolldown.OutputChunk) => boolean;

/** Selects the chunks that are loaded for one of the modules of a start. */
export function isOfStart(start: keyof typeof START_MODULES): IsWanted {
  return isLoadedFor((id) => START_MODULES[start].includes(id));
}

/** Selects the chunk of a file with texts. */
export function isOfTexts(language: string, file: TextFile): IsWanted {
  return isLoadedFor((id) => {
    const texts = parseTextsModule(id);
    return texts?.language === language && texts.file === file;
  });
}

function isLoadedFor(isModule: (id: string) => boolean): IsWanted {
  return ({ facadeModuleId, moduleIds }) =>
    (facadeModuleId === null ? moduleIds : [facadeModuleId]).some(isModule);
}

/** Finds the wanted chunks and those that they import. */
export function findChunks(
  bundle: Rolldown.OutputBundle,
  isWanted: IsWanted,
): Set<Rolldown.OutputChunk> {
  const files = Object.values(bundle);
  const found = new Set(files.filter((file) => file.type === 'chunk').filter(isWanted));
  // The iteration includes what is added.
  for (const { imports } of found) {
    for (const name of imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') found.add(imported);
    }
  }
  return found;
}
