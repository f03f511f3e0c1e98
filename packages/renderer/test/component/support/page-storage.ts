/** Returns everything that the app stores in the page, as text. */
export async function readPageStorage(): Promise<string> {
  const stored = JSON.stringify(localStorage);
  const database = await openExisting('parley');
  if (!database) return stored;
  const names = Array.from(database.objectStoreNames);
  const transaction = database.transaction(names);
  const rows = await Promise.all(
    names.map((name) => settled(transaction.objectStore(name).getAll())),
  );
  database.close();
  return stored + JSON.stringify(rows);
}

/** Opens a database unless it does not exist, as right after a logout. */
async function openExisting(name: string): Promise<IDBDatabase | undefined> {
  const databases = await indexedDB.databases();
  if (!databases.some((database) => database.name === name)) return undefined;
  const request = indexedDB.open(name);
  // It was deleted in the meantime.
  request.addEventListener('upgradeneeded', () => request.transaction?.abort());
  return settled(request).catch(() => undefined);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error('no database')));
  });
}
