/** Severity of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogEvent {
  readonly level: LogLevel
  /** When it is written; printed in the table of docs/operate.md. */
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
  'request-failed': error('a request failed by a fault of the gateway and was answered with 500'),
  'answer-not-delivered': info(
    'the caller disconnected before the whole answer was written; `refunded` is the number of credits refunded, 0 if half of it or more was written',
  ),
  'answer-not-written': debug('an answer could not be written to its connection'),
  'admin-request-failed': warn('a request to the admin listener failed by a fault of the gateway'),
  'refund-pending': error('a charge could not be refunded yet; the sweeper will refund it'),
  // Providers
  'provider-declined': info('a provider was busy, refused the input or had no result'),
  'provider-failed': warn('a provider closed the connection early, or its reply has an unknown form'),
  'provider-account': error("a provider rejected the gateway's credentials, or the quota at the provider is used up"),
  'provider-suspended': lasting(warn('a provider is suspended after failures and receives no requests for a while'), 'port', 'provider'),
  'provider-works': info('a local provider failed in several calls but passed its self-check: it stays in use'),
  'provider-check-failed': warn('the self-check of a local provider could not be run; the provider is not suspended'),
  'provider-resumed': ending('provider-suspended', 'a suspended provider is in use again'),
  'vendor-not-working': info('a vendor is installed, but its programs do not work'),
  'vendor-probes-running': info('the checks of the programs of vendors are still running'),
  'provider-serves-failed': lasting(warn("a provider's `serves` function threw; the provider is skipped"), 'port', 'provider'),
  'part-left-out': info('an optional part of a call had no result'),
  'part-failed': warn('an optional part of a call failed'),
  'cost-invalid': warn('a vendor reported an invalid cost'),
  'token-count-invalid': warn('a vendor reported an invalid token count'),
  plugin: info('a message of a plugin'),
  // Files and programs of calls
  'call-files-left': warn('temporary files of a call could not be deleted'),
  'clean-up-failed': warn('work that a call registered to run after its answer failed'),
  'files-not-purged': lasting(warn('expired files could not be deleted yet')),
  'artifacts-away': warn('the artifact store does not answer at the start'),
  sandbox: info('a message of the sandbox'),
  'sandbox-ready': info('the sandbox was checked at the start'),
  'sandbox-missing': warn('no sandbox is available; calls that need it are refused'),
  'sandbox-unchecked': warn('the sandbox could not be checked'),
  'temporary-folder-closed': warn('job users have no access to the folder in TMPDIR; the default folder is used if they have access to it'),
  'temporary-folder-left': warn('a folder left by a killed gateway could not be deleted'),
  // What the gateway depends on
  'store-away': lasting(warn('the database does not answer; paid calls get 503')),
  'store-back': ending('store-away', 'the database answers again'),
  'store-tried': debug('an attempt to connect to the database failed during the start'),
  'store-work-failed': debug('background work could not reach the database and is retried later'),
  'store-not-closed': warn('the connection to the database did not close in time'),
  'indexes-building': info('indexes of the database are being built'),
  'redis-away': lasting(warn('Redis does not answer; each gateway enforces its share of the limits')),
  'redis-back': ending('redis-away', 'Redis answers again'),
  'redis-shared': info('Redis answers at the start; limits apply to all replicas together'),
  'disk-full': lasting(error('a disk is full; requests that write to it are refused'), 'part'),
  'disk-free': ending('disk-full', 'a disk that was full has free space again'),
  'name-servers-away': lasting(warn('no name server answers')),
  'name-servers-back': ending('name-servers-away', 'name servers answer again'),
  // Work beside the calls
  'holds-released': info('holds and charges of dead gateways were refunded'),
  'sweep-failed': lasting(warn('the sweep failed and will be retried')),
  'hold-not-released': lasting(error('a hold could not be released and will be retried')),
  'account-set-aside': lasting(error("an account's ledger entries cannot be written; its calls get 503"), 'account'),
  'account-restored': ending('account-set-aside', 'an account that was set aside is served again'),
  'publishing-failed': lasting(warn('entries could not be copied to the journal yet')),
  'publishing-resumed': ending('publishing-failed', 'entries are copied again'),
  'deliveries-failed': lasting(warn('delivery marks of answers could not be written yet')),
  'deliveries-resumed': ending('deliveries-failed', 'delivery marks of answers are written again'),
  'delivery-marks-lost': warn('delivery marks of answers of an account are lost'),
  'lease-not-renewed': lasting(warn("this gateway's lease could not be renewed; the renewal will be retried")),
  'lease-left': warn('the lease was not released but left to expire, because calls are unsettled'),
  'refusals-not-written': lasting(warn('counters of refused calls could not be written yet')),
  'key-uses-not-written': lasting(warn('the last use of keys could not be written')),
  'replicas-not-counted': debug('the replicas could not be counted'),
  'settings-not-read': lasting(warn('settings in the store could not be read')),
  'details-deleted': info('details of old calls were deleted'),
  'details-not-deleted': warn('details of old calls could not be deleted'),
  'clock-jumped': warn('the clock jumped; sweeps or deletions are postponed'),
  'ledger-log-large': warn("the ledger's write-ahead log has grown"),
  'ledger-log-small': info("the ledger's write-ahead log is small again"),
  'ledger-log-unreadable': warn("the size of the ledger's write-ahead log cannot be read"),
  // Start, reload, stop
  places: info('where the ledger, limits and files are stored'),
  'admin-socket-failed': warn('the admin socket could not be opened; commands need the admin token'),
  'first-key-not-printed': warn('the first key and the admin token could not be printed; the next start creates new ones'),
  'private-addresses-allowed': warn('calls may reach addresses that are not public'),
  'configuration-warning': warn('the configuration has a questionable setting'),
  'plugin-set-aside': warn('a plugin, or a part of it, is invalid and not used'),
  'plugin-outdated': warn('a changed plugin cannot be loaded; the loaded version stays in use'),
  'reload-requested': info('a signal or another replica requested a reload'),
  reloaded: info('plugins and configuration were read again'),
  'reload-failed': error('a reload failed; the old state stays in use'),
  'restart-needed': warn('changed settings take effect after a restart'),
  'resource-not-closed': warn('a resource of a replaced plugin could not be closed'),
  'unhandled-error': error('an error occurred outside any call'),
  'too-many-errors': error('the gateway stops because of too many unhandled errors'),
  stopping: info('the gateway stops'),
  'stop-step-failed': warn('a step of the stop failed'),
  stopped: info('the gateway has stopped'),
} as const satisfies Readonly<Record<string, LogEvent>>

export type LogEventName = keyof typeof LOG_EVENTS

/** Writes a line to the log: its event, a sentence, and fields. */
export type Log = (event: LogEventName, message: string, fields?: Readonly<Record<string, unknown>>) => void
