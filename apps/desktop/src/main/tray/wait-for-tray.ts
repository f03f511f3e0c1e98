/** Milliseconds before each check. At login the panel may start later than the app. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** Checks repeatedly for half a minute. Resolves to whether there is a usable tray. */
export async function waitForTray(check: () => Promise<boolean>): Promise<boolean> {
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (await check()) return true;
  }
  return false;
}
