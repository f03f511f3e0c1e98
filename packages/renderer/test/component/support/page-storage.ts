/** Returns everything that the app stores in the page, as text. */
export async function readPageStorage(): Promise<string> {
  const stored = JSON.stringify(localStorage);
  const databases = await indexedDB.databases();
  if (!databases.some(({ name }) => name === 'parley')) return stored;
  const database = await settled(indexedDB.open('parley'));
  const names = Array.from(database.objectStoreNames);
  const transaction = database.transaction(names);
  const rows = await Promise.all(
    names.map((name) => settled(transaction.objectStore(name).getAll())),
  );
  database.close();
  return stored + JSON.stringify(rows);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error('no database')));
  });
}
