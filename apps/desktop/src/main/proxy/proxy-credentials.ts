/** Who a proxy shall be told that one is. */
export interface Credentials {
  username: string;
  password: string;
}

/** A proxy that asks. */
export interface ProxyQuestion {
  host: string;
  port: number;
  realm: string;
  /** Nothing was tried yet for this request; otherwise what was tried was wrong. */
  isFirstAttempt: boolean;
}

/** Asks for a name and password; undefined if the person gives none. */
export type AskPerson = (question: ProxyQuestion) => Promise<Credentials | undefined>;

/**
 * Answers proxies: asks the person once, however many requests wait, and again only if the answer was
 * wrong. Kept in memory only.
 */
export function createProxyCredentials(ask: AskPerson) {
  const known = new Map<string, Credentials>();
  const asking = new Map<string, Promise<Credentials | undefined>>();

  return async function answer(question: ProxyQuestion): Promise<Credentials | undefined> {
    const key = `${question.host}:${question.port} ${question.realm}`;
    const kept = known.get(key);
    if (question.isFirstAttempt && kept !== undefined) return kept;
    const open = asking.get(key) ?? ask(question);
    asking.set(key, open);
    try {
      const given = await open;
      if (given === undefined) known.delete(key);
      else known.set(key, given);
      return given;
    } finally {
      asking.delete(key);
    }
  };
}
