/** Severity of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogEvent {
  readonly level: LogLevel
  /** When it is written, for the table in deploy/operations.md. */
  readonly when: string
  /**
   * A lasting state: one line when it begins, then at most one a minute while it is reported again. Names the fields that distinguish
   * states of one kind.
   */
  readonly lasts?: readonly string[]
  /** The event whose state ends with this one. Logged only if the state has begun, with its duration. */
  readonly ends?: string
}

const debug = (when: string): LogEvent => ({ level: 'debug', when })
const info = (when: string): LogEvent => ({ level: 'info', when })
const warn = (when: string): LogEvent => ({ level: 'warn', when })
const error = (when: string): LogEvent => ({ level: 'error', when })
/** At most once a minute, for each value of these fields. */
const lasting = (event: LogEvent, ...lasts: string[]): LogEvent => ({ ...event, lasts })
const ending = (ends: string, when: string): LogEvent => ({ ...info(when), ends })

/** Every kind of line in the log. Names are an interface: operators search for them. */
export const LOG_EVENTS = {
  // Requests
  request: info('a request was answered'),
  probe: debug('a probe or a scrape of metrics was answered'),
  'request-failed': error('a request met a fault of the gateway and was answered with 500'),
  'answer-not-delivered': info(
    'the caller left before the whole answer was written; `refunded` are the credits refunded, 0 where half of it or more was written',
  ),
  'answer-not-written': debug('an answer could not be written to its connection'),
  'admin-request-failed': warn('the admin listener failed on a request'),
  'refund-pending': error('a charge could not be given back yet; the sweeper does it'),
  // Providers
  'provider-declined': info('a provider was busy, refused the input or had no result'),
  'provider-failed': warn('a provider broke off, or replied in a form that is not understood'),
  'provider-account': error("a provider refused the gateway's credentials, or its quota is used up"),
  'provider-suspended': lasting(warn('a provider is not asked for a while'), 'port', 'provider'),
  'provider-works': info('a provider of this machine failed in several calls and passed its self-check: it stays in use'),
  'provider-check-failed': warn('the self-check of a provider of this machine could not be run; it is not suspended'),
  'provider-resumed': ending('provider-suspended', 'a suspended provider is asked again'),
  'vendor-not-working': info('a vendor is installed and its programs do not work'),
  'vendor-probes-running': info('the programs of vendors are still being tried'),
  'provider-serves-failed': lasting(warn("a provider's own test of an input failed; it is passed over"), 'port', 'provider'),
  'part-left-out': info('a part that a call can do without had no result'),
  'part-failed': warn('a part that a call can do without failed'),
  'cost-invalid': warn('a vendor named costs that are no amount'),
  'token-count-invalid': warn('a vendor named counts of tokens that are no whole numbers'),
  plugin: info('a remark of a plugin'),
  // Files and programs of calls
  'call-files-left': warn('temporary files of a call could not be deleted'),
  'clean-up-failed': warn('what a call left to be cleaned up behind its answer was not'),
  'files-not-purged': lasting(warn('expired files could not be deleted yet')),
  'artifacts-away': warn('the place of files does not answer at the start'),
  sandbox: info('a remark of the sandbox'),
  'sandbox-ready': info('the sandbox was checked at the start'),
  'sandbox-missing': warn('there is no sandbox; what needs it is refused'),
  'sandbox-unchecked': warn('the sandbox could not be checked'),
  'temporary-folder-closed': warn('users of jobs cannot enter the folder that TMPDIR names; the usual one is used where they can enter it'),
  'temporary-folder-left': warn('a folder left by a killed gateway could not be deleted'),
  // What the gateway depends on
  'store-away': lasting(warn('the database does not answer; paid calls get 503')),
  'store-back': ending('store-away', 'the database answers again'),
  'store-tried': debug('the database was asked for in vain while the gateway starts'),
  'store-work-failed': debug('work beside the calls found the database away and is done later'),
  'store-not-closed': warn('the connection to the database did not close in time'),
  'indexes-building': info('indexes of the database are being built'),
  'redis-away': lasting(warn('Redis does not answer; limits are shares')),
  'redis-back': ending('redis-away', 'Redis answers again'),
  'redis-shared': info('Redis answers at the start; limits are shared'),
  'disk-full': lasting(error('a disk is full; what writes there is refused'), 'part'),
  'disk-free': ending('disk-full', 'a disk that was full has room again'),
  'name-servers-away': lasting(warn('no name server answers')),
  'name-servers-back': ending('name-servers-away', 'name servers answer again'),
  // Work beside the calls
  'holds-released': info('holds and charges of dead gateways were given back'),
  'sweep-failed': lasting(warn('the sweep failed and is tried again')),
  'hold-not-released': lasting(error('a hold could not be released and is tried again')),
  'account-set-aside': lasting(error('the books of an account cannot be written; it gets 503'), 'account'),
  'account-restored': ending('account-set-aside', 'an account set aside is served again'),
  'publishing-failed': lasting(warn('entries could not be copied to the journal yet')),
  'publishing-resumed': ending('publishing-failed', 'entries are copied again'),
  'deliveries-failed': lasting(warn('marks of delivered answers could not be written yet')),
  'deliveries-resumed': ending('deliveries-failed', 'marks of delivered answers are written again'),
  'delivery-marks-lost': warn('marks of delivered answers of an account are lost'),
  'lease-not-renewed': lasting(warn("this gateway's lease could not be renewed and is tried again")),
  'lease-left': warn('the lease was left to expire, since something is unsettled'),
  'refusals-not-written': lasting(warn('counters of refused calls could not be written yet')),
  'key-uses-not-written': lasting(warn('the last use of keys could not be written')),
  'replicas-not-counted': debug('the replicas could not be counted'),
  'settings-not-read': lasting(warn('settings in the store could not be read')),
  'details-deleted': info('details of old calls were deleted'),
  'details-not-deleted': warn('details of old calls could not be deleted'),
  'clock-jumped': warn('the clock jumped; sweeps or deletions wait'),
  'ledger-log-large': warn("the ledger's write-ahead log has grown"),
  'ledger-log-small': info("the ledger's write-ahead log is small again"),
  'ledger-log-unreadable': warn("the size of the ledger's write-ahead log cannot be read"),
  // Start, reload, stop
  places: info('where ledger, limits and files are kept'),
  'admin-socket-failed': warn('the admin socket could not be opened; commands need the admin token'),
  'first-key-not-printed': warn('the first key and the admin token could not be printed; the next start makes them anew'),
  'private-addresses-allowed': warn('calls may reach addresses that are not public'),
  'configuration-warning': warn('something in the configuration is doubtful'),
  'plugin-set-aside': warn('a plugin, or a part of it, is not used'),
  'plugin-outdated': warn('a changed plugin cannot be loaded; the version in use stays'),
  'reload-asked': info('a reload was asked for by a signal or by another replica'),
  reloaded: info('plugins and configuration were read again'),
  'reload-failed': error('a reload failed; the old state stays'),
  'restart-needed': warn('changed settings wait for a restart'),
  'resource-not-closed': warn('a resource of a replaced plugin could not be closed'),
  'unhandled-error': error('an error that no call owned'),
  'too-many-errors': error('the gateway stops because of unhandled errors'),
  stopping: info('the gateway stops'),
  'stop-step-failed': warn('a step of the stop failed'),
  stopped: info('the gateway has stopped'),
} as const satisfies Readonly<Record<string, LogEvent>>

export type LogEventName = keyof typeof LOG_EVENTS

/** Writes a line to the log: its event, a sentence, and fields. */
export type Log = (event: LogEventName, message: string, fields?: Readonly<Record<string, unknown>>) => void
