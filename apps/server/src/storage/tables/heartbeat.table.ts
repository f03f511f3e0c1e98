/** A single row that the readiness check writes. */
export interface HeartbeatTable {
  /** Always 1. */
  id: number;
  at: number;
}
