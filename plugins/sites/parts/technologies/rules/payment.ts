import type { RuleGroup } from '../rule.js'

export const payment: RuleGroup = {
  category: 'payment',
  rules: [
    {
      name: 'Stripe',
      docs: 'Stripe Documentation: Stripe.js',
      urls: ['js.stripe.com/', 'm.stripe.network/'],
      cookies: ['__stripe_mid', '__stripe_sid'],
      globals: ["stripe('pk_"],
    },
    {
      name: 'PayPal',
      docs: 'PayPal Developer: JavaScript SDK',
      urls: ['paypal.com/sdk/js', 'paypalobjects.com/', 'paypal.com/cgi-bin/webscr'],
      globals: ['paypal.buttons('],
    },
    { name: 'Braintree', docs: 'Braintree Developer Documentation: JavaScript client', urls: ['js.braintreegateway.com/'] },
    { name: 'Square', docs: 'Square Developer: Web Payments SDK', urls: ['web.squarecdn.com/', 'js.squareup.com/'] },
    {
      name: 'Klarna',
      docs: 'Klarna Documentation: On-site messaging, Payments SDK',
      urls: ['x.klarnacdn.net/', 'js.klarna.com/', 'cdn.klarna.com/'],
      html: ['<klarna-placement'],
    },
    {
      name: 'Adyen',
      docs: 'Adyen Documentation: Web Drop-in integration',
      urls: ['checkoutshopper-live.adyen.com/', 'checkoutshopper-test.adyen.com/', 'cdf6519016.cdn.adyen.com/'],
    },
    { name: 'Mollie', docs: 'Mollie Documentation: Mollie Components', urls: ['js.mollie.com/'] },
    { name: 'Razorpay', docs: 'Razorpay Documentation: Standard Checkout', urls: ['checkout.razorpay.com/'] },
    {
      name: 'Amazon Pay',
      docs: 'Amazon Pay Documentation: Amazon Pay script',
      urls: ['static-eu.payments-amazon.com/', 'static-na.payments-amazon.com/'],
      globals: ['amazon.pay.renderbutton('],
    },
    { name: 'Google Pay', docs: 'Google Pay API for Web: Tutorial', urls: ['pay.google.com/gp/p/js/pay.js'] },
    {
      name: 'Apple Pay',
      docs: 'Apple Pay on the Web: JavaScript API',
      urls: ['applepay.cdn-apple.com/jsapi/'],
      globals: ['new applepaysession('],
    },
    {
      name: 'Afterpay',
      docs: 'Afterpay Developers: Messaging',
      urls: ['js.afterpay.com/', 'portal.afterpay.com/'],
      html: ['<afterpay-placement', '<square-placement'],
    },
    { name: 'Affirm', docs: 'Affirm Developers: affirm.js', urls: ['cdn1.affirm.com/js/v2/affirm.js'], globals: ['_affirm_config'] },
    { name: 'Checkout.com', docs: 'Checkout.com Documentation: Frames', urls: ['cdn.checkout.com/js/'] },
    {
      name: 'Paddle',
      docs: 'Paddle Developer: Include and initialize Paddle.js',
      urls: ['cdn.paddle.com/paddle/'],
      globals: ['paddle.setup(', 'paddle.initialize('],
    },
    { name: 'Chargebee', docs: 'Chargebee Documentation: Chargebee.js', urls: ['js.chargebee.com/'], html: ['data-cb-site='] },
    {
      name: 'Lemon Squeezy',
      docs: 'Lemon Squeezy Documentation: Lemon.js',
      urls: ['assets.lemonsqueezy.com/', 'app.lemonsqueezy.com/js/lemon.js'],
    },
  ],
}
