import { readFileSync } from 'node:fs'
import { listFile } from './files.js'
import { SortedLines } from './sorted-lines.js'

const list = new SortedLines(readFileSync(listFile('free.txt'), 'latin1'))
/** Domains of mail services for everybody that the list lacks; from their own pages. */
const MORE = new Set(
  (
    'duck.com hey.com mailbox.org mailfence.com msgsafe.io pobox.com posteo.at posteo.ch posteo.de posteo.net privaterelay.appleid.com proton.me ' +
    'protonmail.ch pm.me runbox.com simplelogin.com startmail.com sympatico.ca telus.net tuta.com tuta.io tutamail.com tutanota.com tutanota.de'
  ).split(' '),
)

/** True for a domain below which anybody gets a mailbox, such as gmail.com; `domain` as A-labels in lower case. */
export function isFreeMail(domain: string): boolean {
  return MORE.has(domain) || list.has(domain)
}
