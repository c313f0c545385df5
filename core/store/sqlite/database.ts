import { chmodSync, existsSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { trusted } from '../../sdk/trusted.js'

export type SqlValue = string | number | null | Uint8Array

/** A statement, prepared when first used and kept. The shape of a row is what its text selects; strict tables keep the column types. */
export class Query<R> {
  readonly #connection: DatabaseSyncInstance
  readonly #text: string
  #statement: StatementSyncInstance | null = null

  constructor(connection: DatabaseSyncInstance, text: string) {
    this.#connection = connection
    this.#text = text
  }

  /** The first row, or undefined. */
  get(...values: SqlValue[]): R | undefined {
    this.#statement ??= this.#connection.prepare(this.#text)
    return trusted<R | undefined>(this.#statement.get(...values))
  }

  all(...values: SqlValue[]): R[] {
    this.#statement ??= this.#connection.prepare(this.#text)
    return trusted<R[]>(this.#statement.all(...values))
  }

  /** Runs it and answers how many rows changed. */
  run(...values: SqlValue[]): number {
    this.#statement ??= this.#connection.prepare(this.#text)
    return this.#statement.run(...values).changes
  }
}

interface DatabaseOptions {
  readonly file: string
  /** How long to wait for another process's write, in ms. */
  readonly busyMs: number
  readonly readOnly?: boolean
}

/** A connection and its prepared statements. A file that it makes is readable by its owner alone, as are the log and the index beside it. */
export class Database {
  readonly #connection: DatabaseSyncInstance
  #writes = false

  constructor(options: DatabaseOptions) {
    const fresh = !existsSync(options.file)
    this.#connection = new DatabaseSync(options.file, { timeout: options.busyMs, readOnly: options.readOnly ?? false })
    // Changed by its name: closing a descriptor of the file would drop this process's locks on it. The log takes the mode of the file.
    if (fresh) chmodSync(options.file, 0o600)
    this.exec('pragma foreign_keys = on; pragma trusted_schema = off')
  }

  /**
   * Settings of a writer: write-ahead log, every commit on the disk before it is acknowledged, zeros in the place of what is taken away; the
   * log is copied into the file by `Checkpoints`.
   * Changes the file, so the file is checked first.
   */
  becomeWriter(): void {
    this.#writes = true
    this.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = fast; pragma journal_size_limit = 67108864; pragma wal_autocheckpoint = 0',
    )
  }

  get inTransaction(): boolean {
    return this.#connection.isTransaction
  }

  exec(text: string): void {
    this.#connection.exec(text)
  }

  /** A query on this connection, kept by whoever made it. */
  query<R = never>(text: string): Query<R> {
    return new Query<R>(this.#connection, text)
  }

  /** Value of a pragma that answers one integer. */
  pragma(name: string): number {
    const row: unknown = this.#connection.prepare(`pragma ${name}`).get()
    const value: unknown = typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined
    if (typeof value !== 'number') throw new Error(`pragma ${name} answered no integer`)
    return value
  }

  /** Copies the log into the file and closes. Statements live on until they are collected, so closing alone would leave the log behind. */
  close(): void {
    if (!this.#connection.isOpen) return
    try {
      if (this.#writes) this.exec('pragma busy_timeout = 200; pragma wal_checkpoint(truncate)')
    } finally {
      this.#connection.close()
    }
  }
}
