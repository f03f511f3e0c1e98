/** Secrets that the server created for itself. */
export interface SecretsTable {
  name: string;
  value: string;
}
