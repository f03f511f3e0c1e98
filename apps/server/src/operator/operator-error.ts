/** An operation that failed for an expected reason. The message is a sentence for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
