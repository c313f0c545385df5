import { parse } from '../../_shared/public-suffixes.js'
import { editDistance } from '../../../core/sdk/index.js'
import { isFreeMail } from '../lists/free-mail.js'

/** Domains that are often mistyped, the most common first: among equally near ones the first is suggested. */
const POPULAR = (
  'gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com me.com mac.com googlemail.com ymail.com rocketmail.com ' +
  'protonmail.com proton.me gmx.de web.de gmx.net gmx.com gmx.at gmx.ch t-online.de freenet.de mail.com yandex.com yandex.ru mail.ru ' +
  'hotmail.co.uk yahoo.co.uk live.co.uk btinternet.com hotmail.fr yahoo.fr orange.fr wanadoo.fr free.fr laposte.net sfr.fr hotmail.it ' +
  'yahoo.it libero.it virgilio.it yahoo.es hotmail.es yahoo.de hotmail.de outlook.de yahoo.com.br hotmail.com.br uol.com.br bol.com.br ' +
  'yahoo.co.in rediffmail.com yahoo.co.jp naver.com qq.com 163.com 126.com foxmail.com comcast.net verizon.net att.net sbcglobal.net ' +
  'bellsouth.net cox.net earthlink.net zoho.com fastmail.com tutanota.com seznam.cz wp.pl onet.pl interia.pl ziggo.nl bluewin.ch'
).split(' ')
/** Suffixes; similar ones that do not exist count as typing errors. */
const SUFFIXES = 'com net org de info edu gov co.uk fr it es nl ch at pl eu ru br com.br com.au ca us biz'.split(' ')
/** Existing suffixes one letter away from .com, which domains other than the .com's owner rarely use. */
const NEAR_COM = new Set(['co', 'cm', 'om', 'con', 'net', 'org'])

/** Common typing errors that are registered by others, who receive the mail. */
const TAKEN_TYPOS: ReadonlyMap<string, string> = new Map(
  (
    'gmial.com=gmail.com gamil.com=gmail.com gmai.com=gmail.com gmal.com=gmail.com gmil.com=gmail.com gmaill.com=gmail.com gnail.com=gmail.com ' +
    'gmail.co=gmail.com gmail.cm=gmail.com gmail.om=gmail.com gmail.con=gmail.com gmaul.com=gmail.com hotmial.com=hotmail.com hotmal.com=hotmail.com ' +
    'hotmai.com=hotmail.com hotmil.com=hotmail.com hotnail.com=hotmail.com hotmaill.com=hotmail.com hotmail.cm=hotmail.com yaho.com=yahoo.com ' +
    'yahooo.com=yahoo.com yhaoo.com=yahoo.com yahho.com=yahoo.com yahoo.cm=yahoo.com outlok.com=outlook.com outlool.com=outlook.com ' +
    'outllok.com=outlook.com iclod.com=icloud.com icoud.com=icloud.com icluod.com=icloud.com'
  )
    .split(' ')
    .map((pair) => {
      const [typed = '', meant = ''] = pair.split('=')
      return [typed, meant]
    }),
)

/**
 * The probably intended domain, or null when this one looks right. One that may exist and accept mail (`mayExist`)
 * counts as a typing error only when it is a well-known one.
 */
export function meantDomain(domain: string, { mayExist }: { readonly mayExist: boolean }): string | null {
  if (POPULAR.includes(domain) || isFreeMail(domain)) return null
  if (mayExist) return TAKEN_TYPOS.get(domain) ?? null
  const found = parse(domain)
  const suffix = found.isIcann === true ? (found.publicSuffix ?? '') : domain.slice(domain.lastIndexOf('.') + 1)
  const name = suffix.length < domain.length ? domain.slice(0, -suffix.length - 1) : ''
  const known = found.isIcann === true
  return nearest(name, suffix, known) ?? (known || name === '' ? null : corrected(name, suffix))
}

function nearest(name: string, suffix: string, known: boolean): string | null {
  let best: { readonly domain: string; readonly distance: number } | null = null
  for (const candidate of POPULAR) {
    const [stem = '', end = ''] = split(candidate)
    const most = stem.length > 6 ? 2 : stem.length > 4 ? 1 : 0
    const ends = endDistance(suffix, end, { known, short: most === 0 })
    const stems = ends === null ? most + 1 : editDistance(name, stem, most)
    if (ends === null || stems > most || stems + ends > 2) continue
    if (best === null || stems + ends < best.distance) best = { domain: candidate, distance: stems + ends }
  }
  return best === null || best.distance === 0 ? null : best.domain
}

/** Distance of a suffix from a candidate's; null for another existing suffix, below which short names belong to others. */
function endDistance(suffix: string, end: string, { known, short }: { readonly known: boolean; readonly short: boolean }): number | null {
  if (suffix === end) return 0
  if (known) return !short && end === 'com' && NEAR_COM.has(suffix) ? 1 : null
  const distance = editDistance(suffix, end, 2)
  return distance > 2 ? null : 1
}

function corrected(name: string, suffix: string): string | null {
  const end = SUFFIXES.find((each) => editDistance(suffix, each, 1) === 1)
  return end === undefined ? null : `${name}.${end}`
}

function split(domain: string): readonly [string, string] {
  const dot = domain.indexOf('.')
  return [domain.slice(0, dot), domain.slice(dot + 1)]
}
