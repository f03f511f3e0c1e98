/** Starts a request during a render. React may discard the render, and nothing handles a failure then. */
export function startRequest<Data>(send: () => Promise<Data>): Promise<Data> {
  const request = send();
  request.catch(() => undefined);
  return request;
}
