/**
 * Asks the browser not to evict the storage of this origin, which contains unsent messages. Does nothing in
 * Firefox, which would prompt the user. The other browsers decide silently.
 */
export function persistStorage(): void {
  // Without the permission, the storage is only less safe.
  requestPersistence().catch(() => undefined);
}

async function requestPersistence(): Promise<void> {
  // Missing without HTTPS.
  const { storage, vendor }: { storage?: StorageManager; vendor: string } = navigator;
  const isFirefox = vendor === '';
  if (!isFirefox) await storage?.persist();
}
