import { chmodSync, existsSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { trusted } from '../../sdk/trusted.js'

export type SqlValue = string | number | null | Uint8Array

/** A statement, prepared at first use. Its text determines a row's shape; strict tables guarantee the column types. */
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

  /** Runs it and returns how many rows changed. */
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

/** A connection with its prepared statements. Files it creates (database, log, index) only their owner may read. */
export class Database {
  readonly #connection: DatabaseSyncInstance
  #writes = false

  constructor(options: DatabaseOptions) {
    const fresh = !existsSync(options.file)
    this.#connection = new DatabaseSync(options.file, { timeout: options.busyMs, readOnly: options.readOnly ?? false })
    // By name: closing a descriptor would drop this process's locks on the file. The log inherits the file's mode.
    if (fresh) chmodSync(options.file, 0o600)
    this.exec('pragma foreign_keys = on; pragma trusted_schema = off')
  }

  /**
   * Settings of a writer: write-ahead log, every commit on the disk before it is acknowledged, deleted content
   * overwritten with zeros; `Checkpoints` copies the log into the file. Changes the file, so check the file first.
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

  /** A query on this connection; the caller keeps it. */
  query<R = never>(text: string): Query<R> {
    return new Query<R>(this.#connection, text)
  }

  /** The value of an integer pragma. */
  pragma(name: string): number {
    const row: unknown = this.#connection.prepare(`pragma ${name}`).get()
    const value: unknown = typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined
    if (typeof value !== 'number') throw new Error(`pragma ${name} answered no integer`)
    return value
  }

  /** Copies the log into the file and closes. Uncollected statements would make closing alone leave the log behind. */
  close(): void {
    if (!this.#connection.isOpen) return
    try {
      if (this.#writes) this.exec('pragma busy_timeout = 200; pragma wal_checkpoint(truncate)')
    } finally {
      this.#connection.close()
    }
  }
}
