/** Version of the interface between client and server. Grows when a client of an older one could no longer work. */
export const API_VERSION = 1;
