import type { Database } from './database.js'

/** Entries one trim takes, so that a command never holds the writer for long. */
const AT_ONCE = 500

/** Takes off old entries what they say of their calls: facts, and place in the call history. */
export function trims(db: Database) {
  const note = db.query(`update counters set value = max(value, ?) where name = 'trimmed'`)
  const trim = db.query(
    `update entries set facts = null, series = null, nth = null
     where id in (select id from entries where facts is not null and at < ? order by at limit ${AT_ONCE})`,
  )
  return {
    trim: ({ before }: { before: number }): number => {
      note.run(before)
      return trim.run(before)
    },
  }
}
