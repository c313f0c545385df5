/** What is wrong between package.json and package-lock.json, found without npm: empty when `npm ci` will take them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function lockFaults(root) {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const faults = []
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const wanted = own[kind] ?? {}
    const locked = lock.packages[''][kind] ?? {}
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(locked)])) {
      if (wanted[name] !== locked[name])
        faults.push(
          `${kind}.${name} is ${wanted[name] ?? 'absent'} in package.json and ${locked[name] ?? 'absent'} in package-lock.json: run npm install`,
        )
      else if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(wanted[name])) faults.push(`${kind}.${name} is ${wanted[name]}: pin an exact version`)
      else if (lock.packages[`node_modules/${name}`]?.version !== wanted[name])
        faults.push(`${name} ${wanted[name]} is not in package-lock.json: run npm install`)
    }
  }
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path !== '' && entry.link !== true && entry.integrity === undefined && entry.inBundle !== true)
      faults.push(`${path} has no integrity hash in package-lock.json`)
    if (entry.resolved !== undefined && !entry.resolved.startsWith('file:'))
      faults.push(`${path} names a registry in package-lock.json: run npm install with the .npmrc of this folder`)
  }
  return faults
}
