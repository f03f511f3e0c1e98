/** A content encoding of responses. */
export type Encoding = 'br' | 'gzip';

const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

/** Returns the encodings that an `Accept-Encoding` header (RFC 9110 §12.5.3) allows, best first. */
export function acceptedEncodings(header: string | undefined): Encoding[] {
  if (header === undefined) return [];
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)));
  }
  return PREFERRED.filter((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0);
}
