/** The code that every signed-in screen needs: one chunk, fetched when somebody logs in or comes back. */
export function loadSignedInScreens(): Promise<typeof import('../features/shell/SignedInShell.tsx')> {
  return import('../features/shell/SignedInShell.tsx');
}
