import { mistakesOf } from './mistake.js'

export const CREDITS = [
  ...mistakesOf(
    'credits grant',
    [2, 'capstan credits grant default 100', 'usage: capstan credits grant --account <account> --amount <n> --ref <reference>'],
    [2, 'capstan credits grant --account default --amount 100', '--ref <reference>'],
    [2, 'capstan credits grant --account default --ref invoice-17', '--amount <n>'],
    [1, 'capstan credits grant --account defautl --amount 100 --ref invoice-17', 'there is no account defautl', 'did you mean default?'],
    [2, 'capstan credits grant --account default --amount 0 --ref invoice-17', '--amount', 'above 0'],
    [2, 'capstan credits grant --account default --amount -10 --ref invoice-17', '--amount', 'without sign'],
    [2, 'capstan credits grant --account default --amount 10EUR --ref invoice-17', '--amount', 'three decimals'],
    [2, 'capstan credits grant --account default --amount 1e99 --ref invoice-17', '--amount'],
    [2, "capstan credits grant --account default --amount 10 --ref 'invoice 17'", '--ref', 'space'],
    [2, "capstan credits grant --account default --amount 10 --ref ''", '--ref', '1 to 200 characters'],
    [2, 'capstan credits grant --acount default --amount 10 --ref invoice-17', "unknown option '--acount'", 'did you mean --account?'],
  ),
  ...mistakesOf(
    'credits adjust',
    [2, 'capstan credits adjust --account default --amount -12.5 --ref ticket-1', '--amount', 'without sign'],
    [1, 'capstan credits adjust --account default --amount 999999 --ref ticket-2', '--amount', '1000'],
    [2, 'capstan credits adjust --account default --amount 12.12345 --ref ticket-3', '--amount', 'three decimals'],
    [2, 'capstan credits adjust --amount 12 --ref ticket-4', '--account <account>'],
    [
      1,
      'capstan credits adjust --account acc_nobody --amount 12 --ref ticket-5',
      'there is no account acc_nobody',
      'capstan accounts list',
    ],
    [2, 'capstan credits adjust --account default --amount 12 --ref ticket-6 granted twice', 'too many arguments', 'quotes'],
    [2, 'capstan credits adjust --account default --amount 12,5 --ref ticket-7', '--amount', '12.5'],
    [2, 'capstan credits remove --account default --amount 12 --ref ticket-8', "unknown command 'remove'", 'capstan credits'],
  ),
]
