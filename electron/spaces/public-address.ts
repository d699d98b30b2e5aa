import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Networks that are not the public internet: this computer, private networks, links, documentation, multicast, and the
 * ranges that carry another address inside (IANA IPv4 and IPv6 Special-Purpose Address Registries).
 */
const RESERVED: ReadonlyArray<readonly [string, number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

/** Whether an IP address is one of the public internet. @param address as `dns.lookup` gives it */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '')
  if (isIP(bare) === 0) return false
  const family = isIPv6(bare) ? 'ipv6' : 'ipv4'
  // One list for each family: in a common one every IPv4 address is in `::ffff:0:0/96`.
  const reserved = new BlockList()
  for (const [network, prefix] of RESERVED) {
    if (isIPv6(network) === isIPv6(bare)) reserved.addSubnet(network, prefix, family)
  }
  return !reserved.check(bare, family)
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
