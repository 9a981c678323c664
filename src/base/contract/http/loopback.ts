/** True if a host is this machine: a loopback name, or an address, of version 6 with or without brackets. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|(\[?::ffff:)?127\.\d+\.\d+\.\d+\]?|\[?::1\]?)$/i.test(hostname);
}
