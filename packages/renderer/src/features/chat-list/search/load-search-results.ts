/** Loads the code of the search results in the chat list, which a start does not need. */
export const searchResults = {
  load: async () => (await import('./SearchResults.tsx')).SearchResults,
};
