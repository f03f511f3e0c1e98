/** The logs of the servers that have run in this process during the test, line by line. */
const logs = new Set<readonly string[]>();
const ended = new Set<readonly string[]>();

/** Adds the log of a server that starts. */
export function addServerLog(log: readonly string[]): void {
  logs.add(log);
}

/** Keeps the log of a server that has stopped only until the end of the test. */
export function endServerLog(log: readonly string[]): void {
  ended.add(log);
}

/** Returns the logs of the servers that have run during the test. */
export function takeServerLogs(): readonly (readonly string[])[] {
  const all = [...logs];
  for (const log of ended) logs.delete(log);
  ended.clear();
  return all;
}
