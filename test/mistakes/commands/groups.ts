import { mistakesOf } from './mistake.js'

/** The program itself, its groups and the help. */
export const GROUPS = [
  ...mistakesOf(
    'help',
    [2, 'capstan help acounts', "unknown command 'acounts'", 'did you mean accounts?'],
    [2, 'capstan help accounts creat', "unknown command 'creat'", 'did you mean create?'],
    [2, 'capstan accounts help creat', "unknown command 'creat'", 'did you mean create?'],
    [2, 'capstan --hepl', "unknown option '--hepl'", 'did you mean --help?'],
    [2, 'capstan hlep', "unknown command 'hlep'", 'did you mean help?'],
    [2, 'capstan help serve now', "unknown command 'now'"],
  ),
  ...mistakesOf(
    'capstan',
    [2, 'capstan --config', "'--config <file>' argument missing"],
    [2, 'capstan serv', "unknown command 'serv'", 'did you mean serve?'],
    [2, 'capstan search query=pumps', "unknown command 'search'", 'capstan run search'],
    [2, 'capstan --jsno accounts list', "unknown option '--jsno'", 'did you mean --json?'],
    [2, 'capstan -v', "unknown option '-v'", '--version'],
  ),
]
