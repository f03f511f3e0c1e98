/** An interceptor of requests that no response arrives to, as without a connection. */
export function noResponse(): never {
  throw new TypeError('Failed to fetch');
}
