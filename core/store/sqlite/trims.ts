import type { Database } from './database.js'
import type { WriteCache } from './write-cache.js'

/** Calls that one trim deletes, so that a command never blocks the writer for long. */
const AT_ONCE = 500
/** Rows read in one step. */
const SCANNED = 2000
/** Rows sampled at even distances to find older rows after ones with a time in the future. */
const SAMPLES = 64

/**
 * Deletes the details of calls older than a time. Rows of `calls` are in order of insertion, nearly that of their
 * times, so that the oldest come first without an index on the time.
 */
export function trims(db: Database, cache: WriteCache) {
  const note = db.query(`update counters set value = max(value, ?) where name = 'trimmed'`)
  const remove = db.query<{ id: number }>(
    `delete from calls where id in (select id from (select id, at from calls where id > ? order by id limit ${SCANNED})
       where at < ? order by id limit ${AT_ONCE}) returning id`,
  )
  const bounds = db.query<{ low: number | null; high: number | null }>(
    'select (select min(id) from calls) low, (select max(id) from calls) high',
  )
  const timeAt = db.query<{ id: number; at: number }>('select id, at from calls where id >= ? order by id limit 1')

  /** Where the walk continues: after the last row it deleted. */
  let position = 0

  const step = (after: number, before: number): number => {
    const gone = remove.all(after, before)
    if (gone.length > 0) position = gone.reduce((last, { id }) => Math.max(last, id), after)
    return gone.length
  }

  /** A position with older rows after it: rows with a wrong time in the future must not stop the walk permanently. */
  const positionBeforeOlder = (before: number): number | null => {
    const { low, high } = bounds.get() ?? {}
    if (low === null || low === undefined || high === null || high === undefined) return null
    const isOlder = (id: number) => (timeAt.get(id)?.at ?? Infinity) < before
    for (let sample = 1; sample <= SAMPLES; sample++) {
      let newer = low + Math.floor(((high - low) * (sample - 1)) / SAMPLES)
      let older = low + Math.floor(((high - low) * sample) / SAMPLES)
      if (!isOlder(older)) continue
      while (older - newer > 1) {
        const middle = Math.floor((newer + older) / 2)
        if (isOlder(middle)) older = middle
        else newer = middle
      }
      return older - 1
    }
    return null
  }

  const trimRows = (before: number): number => {
    const gone = step(position, before) || step(0, before)
    if (gone > 0) return gone
    const start = positionBeforeOlder(before)
    return start === null ? 0 : step(start, before)
  }

  return {
    trim: ({ before }: { before: number }): number => {
      cache.journal.write()
      note.run(before)
      // Deleted content is overwritten with zeros, also when a whole page becomes free.
      db.exec('pragma secure_delete = on')
      try {
        return trimRows(before)
      } finally {
        db.exec('pragma secure_delete = fast')
      }
    },
  }
}
