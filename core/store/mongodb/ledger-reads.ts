import type { Balance, Entry, EntryFilter, Milli } from '../types.js'
import { withFacts } from './details.js'
import { op } from './filter.js'
import type { MongoDeps } from './deps.js'
import type { AccountDocument, EntryWithFacts } from './documents.js'
import { balanceOf, JOURNAL, MONEY, numbered } from './journal.js'

type Line = Omit<EntryWithFacts, 'acct'>

/** Accounts per page; the entries of each take one more round trip. */
const PAGE = 100

/** Balance and journal, read in pages. */
export function ledgerReads({ tables }: MongoDeps) {
  const { accounts, entries, gateways } = tables

  /** A charge with a number is delivered when its owner's document says so, unless it is in `refunds`. */
  const withMarks = async (lines: readonly Line[], refunds: ReadonlySet<string>): Promise<Line[]> => {
    const owners = [...new Set(lines.filter(({ n, delivered }) => n !== undefined && delivered === null).map(({ own }) => own))]
    const found = owners.length === 0 ? [] : await gateways.many({ _id: op({ $in: owners }) }, { upto: 1, open: 1 })
    const settled = new Map(found.map(({ _id, upto = 0, open = [] }) => [_id, { upto, open: new Set(open) }]))
    const isSettled = ({ own, n }: Line): boolean => {
      const owner = settled.get(own)
      return n !== undefined && owner !== undefined && n <= owner.upto && !owner.open.has(n)
    }
    return lines.map((line) => {
      if (line.kind !== 'charge' || line.delivered === false) return line
      const delivered = !refunds.has(`rf:${line.ref}`) && (line.delivered === true || isSettled(line))
      return { ...line, delivered: delivered ? true : null }
    })
  }

  /** Unpublished entries from the snapshot, earlier ones from the journal: each once, even when published meanwhile. */
  const ofAccount = async (account: AccountDocument, afterSeq: number, limit: number): Promise<Entry[]> => {
    const tail = numbered(account)
    const published = account.seq - tail.length
    const range = { acct: account._id, seq: op({ $gt: afterSeq, $lte: published }) }
    const found = afterSeq >= published ? [] : await entries.many(range, {}, { sort: { seq: 1 }, limit })
    const rows = await withFacts(tables, account._id, found)
    const rest = tail.filter((entry) => entry.seq > afterSeq).map((entry) => ({ ...entry, delivered: entry.delivered ?? null }))
    const refunds = new Set(tail.filter(({ kind }) => kind === 'refund').map(({ ref }) => ref))
    return (await withMarks([...rows, ...rest].slice(0, limit), refunds)).map((entry) => entryOf(account._id, entry))
  }

  return {
    balance: async (id: string): Promise<(Balance & { overage: Milli; open: number; seq: number }) | null> => {
      const account = await accounts.one({ _id: id }, { ...MONEY, over: 1, open: 1, seq: 1 })
      return account === null ? null : { ...balanceOf(account), overage: account.over, open: account.open, seq: account.seq }
    },

    /** In order of account id and sequence; continues after `afterAccount` and `afterSeq`. */
    entries: async (filter: EntryFilter): Promise<Entry[]> => {
      const found: Entry[] = []
      const start = filter.account ?? filter.afterAccount
      const first = start === undefined ? null : await accounts.one({ _id: start }, JOURNAL)
      if (first !== null) found.push(...(await ofAccount(first, filter.afterSeq ?? 0, filter.limit)))
      if (filter.account !== undefined) return found
      for (let last = start ?? ''; found.length < filter.limit;) {
        const owners = await accounts.many({ _id: op({ $gt: last }) }, JOURNAL, { sort: { _id: 1 }, limit: PAGE })
        for (const owner of owners) {
          if (found.length < filter.limit) found.push(...(await ofAccount(owner, 0, filter.limit - found.length)))
          last = owner._id
        }
        if (owners.length < PAGE) break
      }
      return found
    },
  }
}

function entryOf(account: string, entry: Line): Entry {
  const { seq, ref, kind, after, at, note, facts } = entry
  return {
    account,
    seq,
    ref,
    kind,
    amount: entry.amt,
    after,
    at,
    owner: entry.own,
    delivered: entry.delivered === true ? true : null,
    note,
    facts,
  }
}
