/** The code of an invitation. Unlike the code of an error, it has capital letters or digits. */
const INVITATION_CODE = /(?<="code": ")(?=[\w-]*[A-Z\d])[\w-]{20}(?=")/g;

/** An entry of a device cookie: a time and a signature. */
const DEVICE_ENTRY = /\b\d{10}\.[\w-]{22}(?![\w-])/g;

/**
 * Returns a value as JSON in which ids and codes of invitations are numbered, times and entries of
 * device cookies are replaced and each of the words is replaced by its position, so that the responses to
 * different users can be compared.
 */
export function normalize(value: unknown, words: readonly string[] = []): string {
  let text = JSON.stringify(value, undefined, 1);
  for (const [i, word] of words.entries()) text = text.replaceAll(word, `word ${i}`);
  const ids = new Map<string, number>();
  const nameOf = (id: string) => {
    if (!ids.has(id)) ids.set(id, ids.size);
    return `id ${ids.get(id)}`;
  };
  return text
    .replaceAll(INVITATION_CODE, (code) => nameOf(code))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => nameOf(id))
    .replaceAll(DEVICE_ENTRY, 'device')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
}
