import type { SignedInShell } from '../features/shell/SignedInShell.tsx';

/** The code that every signed-in screen needs: fetched when somebody logs in or comes back. */
export function loadSignedInScreens(): Promise<{ SignedInShell: typeof SignedInShell }> {
  return import('../features/shell/SignedInShell.tsx');
}
