import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What starts a server, a program or a thread, by the modules that a spec imports. */
const STARTS = [
  /'node:(?:child_process|cluster|dgram|http|https|http2|net|tls|worker_threads)'/,
  /'[^']*\/sdk\/testkit\/[^']*'/,
  /'[^']*\/support\/(?:beside|browser|cli|code|conversions|egress-channels|exec-|extract-stage|fake-project|file-vendor|find-world|gateway|guest-plugin|hostile|job-vendor|mail-world|mongodb|outage|photo|profile-vendors|proxy-port|raw|redis|registries|replicas|s3|search|served|site-world|store-|upload|whois)[^']*'/,
  /'[^']*\/core\/exec\/(?:index|launcher|parse|run|sandbox|warm-pool|warm-sandbox|workers)\.js'/,
  /'[^']*\/core\/outbound\/(?:index|large-replies|proxy)\.js'/,
  /'[^']*\/cli\/start-problems\.js'/,
]
const IMPORT = /^import .*?from ('[^']+')|^import ('[^']+')/gms

/** The specs below test/core and test/capstan that start no server, program or thread of their own, by their sources, as they are named below the root. */
export function quickSpecs(root) {
  return [join('test', 'capstan'), join('test', 'core')]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith('.spec.ts'))
    .filter((file) => !startsSomething(readFileSync(join(root, file), 'utf8')))
    .sort()
}

/** Whether a source imports one of them; types alone start nothing. */
export function startsSomething(source) {
  const imported = [...source.matchAll(IMPORT)].filter(([whole]) => !whole.startsWith('import type')).map(([, from, bare]) => from ?? bare)
  return imported.some((module) => STARTS.some((pattern) => pattern.test(module)))
}
