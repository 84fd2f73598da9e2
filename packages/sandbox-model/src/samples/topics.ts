export type Kind = 'code' | 'component' | 'api' | 'content'

export interface Topic {
  /** The name of its file in the folder `samples`; with spaces it is the topic's title. */
  id: string
  kind: Kind
  /** Groups of words, separated by commas. A prompt that has all words of a group may mean this topic. */
  words: string
}

const code = (id: string, words: string): Topic => ({ id, kind: 'code', words })
const component = (id: string, words: string): Topic => ({ id, kind: 'component', words })
const api = (id: string, words: string): Topic => ({ id, kind: 'api', words })
const content = (id: string, words: string): Topic => ({ id, kind: 'content', words })

/** The topics with samples, and the words that select them. Word forms count as one: see `stem`. */
export const topics: readonly Topic[] = [
  code(
    'debounce',
    'debounce, wait until stops typing, last call after pause, user stops typing, fire so often, stop typing, settle'
  ),
  code(
    'throttle',
    'throttle, at most once per second, limit how often function, once every milliseconds, fire too often'
  ),
  code(
    'retry',
    'retry, backoff, exponential backoff, try again, try again after failure, retry with backoff, unreliable, call again, growing delays, flaky, transient errors, keep trying'
  ),
  code(
    'memoize',
    'memoize, memoise, memo function, cache results function, remember results, cache decorator'
  ),
  code(
    'lru-cache',
    'lru, lru cache, least recently used, cache, cache eviction, in memory cache, evict, oldest entry'
  ),
  code(
    'queue',
    'queue, fifo, first in first out, enqueue, dequeue, first added first, waiting line, message queue, job queue'
  ),
  code(
    'stack',
    'stack, lifo, last in first out, push pop, stack data structure, last one removed, last added first, undo history, balanced brackets, balanced parentheses'
  ),
  code(
    'priority-queue',
    'priority queue, heap, min heap, max heap, binary heap, smallest item first, most urgent first, by priority, highest priority first, most important first, scheduler'
  ),
  code('linked-list', 'linked list, singly linked, doubly linked, reverse linked list, list nodes'),
  code(
    'binary-tree',
    'binary tree, binary search tree, bst, tree insert, tree traversal, tree, tree node, inorder'
  ),
  code(
    'graph-search',
    'graph, breadth first, breadth first search, bfs, shortest path, path between nodes, maze, route between, connected nodes, fewest hops, traverse graph'
  ),
  code(
    'binary-search',
    'binary search, search sorted array, search sorted list, find sorted array, bisect, logarithmic time, find ordered list, find ordered array, log n'
  ),
  code(
    'quick-sort',
    'quicksort, quick sort, sort, sort array, sort list, sort numbers, sorting algorithm, order array, order list, order numbers, ascending, descending, sort integers'
  ),
  code('merge-sort', 'mergesort, merge sort, stable sort, divide and conquer sort'),
  code(
    'deep-clone',
    'clone, deep clone, deep copy, copy object, copy nested object, clone object, independent copy, duplicate object, copy deep'
  ),
  code(
    'deep-equal',
    'deep equal, deep compare, compare objects, compare two objects, objects equal, structural equality, deep equality, equality, same contents, are equal'
  ),
  code('flatten', 'flatten, flat array, nested arrays, nested lists, unnest, nested list, flat list'),
  code(
    'group-by',
    'group, group by, group items, partition by key, groupby, bucket by, categorize, categorise, group by category, by category'
  ),
  code(
    'chunk',
    'chunk, split array, split list, batches of, split into batches, split into groups of, batch, batches, slices of, equal parts, pieces of'
  ),
  code(
    'unique',
    'unique, dedupe, deduplicate, remove duplicates, distinct, without duplicates, duplicate entries, repeated values, duplicate values, duplicates, dedup, repeated elements'
  ),
  code('range', 'range, range of numbers, sequence of numbers, numbers from to, arange, linspace'),
  code('shuffle', 'shuffle, shuffle array, random order, fisher yates, randomize order, shuffle deck'),
  code(
    'event-emitter',
    'event emitter, emitter, pub sub, pubsub, publish subscribe, event bus, event listeners, observer pattern, subscribe, listeners, notify subscribers, emit'
  ),
  code('compose', 'compose, pipe functions, function composition, curry, partial application'),
  code(
    'promise-pool',
    'promise pool, concurrency limit, limit concurrency, worker pool, parallel limit, run tasks parallel, at a time, async pool, concurrent tasks, semaphore, goroutines, in parallel, simultaneously, only at a time, concurrently'
  ),
  code('sleep', 'sleep, delay, wait milliseconds, wait seconds, pause seconds, pause for, wait for seconds'),
  code(
    'timeout',
    'timeout, time out, promise timeout, time limit, deadline, abort after, give up after, takes too long, abort after seconds, cancel after, no answer within'
  ),
  code(
    'rate-limiter',
    'rate limit, token bucket, leaky bucket, limit requests, requests per second, requests per minute'
  ),
  code(
    'csv-parser',
    'csv, csv parse, read csv, comma separated, csv file, spreadsheet, excel export, commas and quotes, delimited'
  ),
  code(
    'json-parse',
    'json parse, safe json, parse json safely, json without throwing, invalid json, load json, malformed json, broken json'
  ),
  code('query-string', 'query string, query parameters, url parameters, url query, parse url, search params'),
  code('slugify', 'slug, slugify, url friendly, seo friendly, safe for urls, permalink, safe url, title url'),
  code(
    'camel-case',
    'camel case, camelcase, snake case, kebab case, pascal case, snakecase, naming convention, convert case, title to camel'
  ),
  code(
    'title-case',
    'title case, titlecase, capitalize, capitalise, capitalize words, first letter of each word, uppercase first letter, to title case, capital letters, headline case'
  ),
  code(
    'truncate',
    'truncate, ellipsis, shorten text, shorten string, cut off text, cut long text, limit text length, shorten, too long, clip text, preview text'
  ),
  code(
    'template',
    'template, string interpolation, fill placeholders, replace placeholders, mustache, template engine, escape html, placeholders, fill in template, variables in text, mail merge'
  ),
  code(
    'email-check',
    'email validate, email check, valid email, email regex, email, email address, mail address, e mail, proper email, email address correct'
  ),
  code('url-check', 'url validate, valid url, url check, url regex, valid link, http address, is url'),
  code('uuid-check', 'uuid validate, valid uuid, uuid check, uuid regex, guid valid, is uuid'),
  code(
    'random-string',
    'random string, random password, generate password, password generator, random token, generate uuid, uuid generator, generate token, uuid, guid, random id, unique id, invite code, coupon code, secret key, random code, random characters'
  ),
  code(
    'password-strength',
    'password strength, strong password, password score, weak password, password check, password validate, strength of password, rate password, secure password, password rules, password policy'
  ),
  code(
    'date-format',
    'date format, format date, date to string, iso date, yyyy mm dd, timestamp format, pretty date, date as string, german date'
  ),
  code(
    'date-difference',
    'date difference, days between, difference between dates, difference between two dates, number of days, age from birth, calculate age, days until, days left, how many days, days until, weeks between, how old, how long until'
  ),
  code('roman-numerals', 'roman, roman numeral, roman number, mmxxiv, romans, mcm'),
  code('fibonacci', 'fibonacci, fib, sum of the two preceding, golden'),
  code('prime', 'prime, prime numbers, sieve, eratosthenes, is prime, primes, divisible only'),
  code('gcd', 'gcd, greatest common divisor, lcm, least common multiple, euclid, common divisor'),
  code('factorial', 'factorial'),
  code('fizzbuzz', 'fizzbuzz, fizz buzz, multiples of three and five, multiples of 3 and 5'),
  code(
    'palindrome',
    'palindrome, same backwards, reads the same, same forwards and backwards, both directions, backwards, backward, mirror word'
  ),
  code('anagram', 'anagram, same letters, rearrange letters, rearranged'),
  code(
    'word-count',
    'word count, count words, word frequency, frequency of words, how often word, most common words, most frequent words, words appear, how many words, most often words, words most often, count occurrences'
  ),
  code(
    'levenshtein',
    'levenshtein, edit distance, string distance, string similarity, similar strings, fuzzy match, how similar, similarity, spelling distance, typos, closest match, did you mean'
  ),
  code(
    'caesar',
    'caesar, caesar cipher, rot13, shift cipher, cipher, letter shift, encrypt text, decrypt text, encrypt, rotate letters, encode message shift'
  ),
  code('base64', 'base64, base 64'),
  code(
    'hash-file',
    'hash file, file hash, sha256, sha 256, checksum, md5, sha1, digest of file, hash, fingerprint of file, md5 sum'
  ),
  code(
    'read-lines',
    'read lines, read file, line by line, file lines, read text file, lines of file, stream file lines, huge file, large text file, read huge file, head of file'
  ),
  code(
    'walk-directory',
    'walk directory, directory, list files, recursive files, files in folder, folder recursively, directory tree, find files, all files, largest files, biggest files, below directory, disk usage, subfolders'
  ),
  code(
    'http-fetch',
    'fetch, http fetch, http request, fetch retry, fetch json, http client, call api, api client, get request, download url, download file, curl, rest client, request to url, weather api, load data from url, call endpoint'
  ),
  code(
    'logger',
    'logger, logging, log levels, structured log, json log, log messages, log to console, log to file, write log'
  ),
  code(
    'config-loader',
    'config, config load, configuration, settings, environment variables, env variables, env file, dotenv, read settings, app settings, load settings, yaml config, process env'
  ),
  code(
    'argument-parser',
    'argument parser, parse arguments, command line arguments, argv, cli arguments, command line options, cli flags, command line flags, argparse, cli tool, handles options, script options, flags, help option, cli options'
  ),
  code('temperature', 'temperature, celsius, fahrenheit, celsius fahrenheit, degrees'),
  code(
    'format-bytes',
    'format bytes, human readable size, file size, bytes to, size in kb, bytes megabytes, humanize bytes, as mb, as kb, megabytes, human readable'
  ),
  code(
    'matrix',
    'matrix, matrices, matrix multiply, transpose, multiply matrices, rows and columns, 2d array'
  ),
  code('average', 'average, mean, arithmetic mean, average of numbers, mean of, average grade'),
  code(
    'backup-script',
    'backup, backup script, back up, archive folder, compress folder, tar folder, tars, nightly, removes old archives, archive, snapshot of folder'
  ),
  code(
    'log-analysis',
    'access log, log analysis, log file, analyze log, analyse log, parse log, log report, nginx log, apache log, web server log, log entries, status codes, requests per status'
  ),
  code(
    'sql-table',
    'create table, sql table, sql schema, database schema, tables for, foreign key, sql create, database table, tables and, table for users, users table, schema for'
  ),
  code(
    'sql-join',
    'sql join, left join, inner join, join tables, join customers, join orders, query joins, orders per customer, total per customer, by each customer, spent by customer, total spent, sum per customer, customer names'
  ),
  code(
    'sql-top-per-group',
    'top per group, top orders per customer, row number, top for each, largest per, n per group, sql rank, window function, highest per, top three per, most expensive in every, second most, second highest, best of each, latest per, newest per, in every category, highest in each'
  ),
  code(
    'sql-pagination',
    'sql pagination, sql page, keyset pagination, cursor pagination, limit offset, paginate query, sql limit'
  ),
  code('sql-upsert', 'upsert, on conflict, insert or update, sql insert, merge into, insert if not exists'),
  code('sql-duplicates', 'sql duplicates, duplicate rows, delete duplicates, sql deduplicate'),
  code(
    'sql-running-total',
    'running total, cumulative sum, monthly sales, sales per month, month over month, sql window, revenue per month, balance over time, by month, per month'
  ),
  code(
    'html-page',
    'html page, html, web page, webpage, landing page html, html document, website, static page, homepage html, portfolio page, site html'
  ),
  code(
    'html-form',
    'html form, contact form, html contact, html input, form html page, feedback form, sign up form html, newsletter form'
  ),
  code(
    'css-grid',
    'css grid, grid layout, responsive grid, photo gallery, image gallery, responsive layout, responsive columns, cards side by side, columns, three columns, layout'
  ),
  code(
    'css-center',
    'center div, center css, centre css, center element, center horizontally, center vertically, css flexbox, middle of the screen, in the middle, middle of page, center, centre'
  ),
  code(
    'css-dark-mode',
    'dark mode, dark theme, css dark, prefers color scheme, light and dark, css variables, css theme, dark, theme switch'
  ),
  code('css-button', 'css button, button style, style button, button hover'),
  code(
    'css-animation',
    'css animation, keyframes, spinner, fade in, loading animation, css transition, css spinner, loader, animate, pulse, animated, fade'
  ),

  component(
    'counter',
    'counter, count clicks, click counter, increment, plus and minus, plus minus, stepper, quantity, number of clicks'
  ),
  component(
    'button',
    'button, button component, submit button, loading button, click me, call to action button, icon button, disabled while'
  ),
  component(
    'modal',
    'modal, dialog, popup, confirmation dialog, modal window, lightbox, overlay, confirm deletion, asks to confirm, window that asks, are you sure, pop up'
  ),
  component(
    'sortable-table',
    'table, data table, sortable table, data grid, table sort, sort columns, sort table, table rows, column headers, columns, clickable headers, list of users, rows and columns, spreadsheet'
  ),
  component(
    'form',
    'form, form validation, sign up form, login form, registration form, signup, contact form, validated form, form fields, login screen, login, sign in, email and password, checkout form, input fields, registration, validate input'
  ),
  component(
    'dropdown',
    'dropdown, drop down, select menu, menu, select box, options menu, combobox, choose country, country picker, picker, choose one of, options to choose'
  ),
  component(
    'tabs',
    'tab, tabs, tab panel, tabbed, tab view, switch between panels, switch between views, sections with headers'
  ),
  component(
    'pagination',
    'pagination, paginate, page numbers, pager, page buttons, previous next, next page, previous page, navigate pages, pages of results'
  ),
  component(
    'toast',
    'toast, notification, snackbar, alert message, flash message, message in the corner, small message, saved message, success message, message after saving'
  ),
  component(
    'search-box',
    'search, search box, search bar, search field, search input, search debounce, debounced search input, typeahead, live search, filter as you type, find as you type, filter list, filter input, autocomplete'
  ),
  component(
    'navbar',
    'navbar, nav bar, navigation, navigation bar, header menu, site header, hamburger menu, top bar, navigation menu, top menu, logo and links, header with links, header, site navigation, links'
  ),
  component(
    'card',
    'card, product card, profile card, card component, tile, image card, profile, product tile, preview with image'
  ),
  component(
    'todo-list',
    'todo, todo list, to do list, task list, checklist, todo app, task manager, tick off, tasks, check off, shopping list'
  ),
  component(
    'accordion',
    'accordion, collapsible, collapse, expand, disclosure, faq accordion, faq section, expandable, show more, hide and show, expanding, foldable, unfold'
  ),
  component('page', 'nextjs page, next js page, next js, next page, page component, dynamic page'),

  api(
    'crud',
    'crud, rest api, rest endpoint, create read update delete, items, resource, route, endpoint, rest, todo api, users api, get post, api server, controller, hello world, products, create list and remove, create list delete, books, users, add and delete, manage, blog posts, orders'
  ),
  api(
    'auth-middleware',
    'authentication, auth, authentication middleware, auth middleware, bearer token, bearer, api key, token check, middleware, protect route, protected route, jwt, login, authorize, unauthorized, valid jwt, only let requests, signed in users, logged in users, admin only, check credentials, reject requests without'
  ),
  api(
    'file-upload',
    'upload, file upload, upload file, upload image, multipart, image upload, avatar upload, accept files, send a picture, profile picture, picture, photo, attach files, receive files, send pdf, avatar'
  ),
  api(
    'list-route',
    'pagination, paginate, paginated list, page and limit, list with pages, page of, page size, paged, pages of, next page, page through, twenty per page, 20 per page, per page, infinite scroll'
  ),
  api(
    'health-check',
    'health, health check, healthcheck, readiness, liveness, status endpoint, ready probe, ping, uptime, probe, probes, kubernetes, alive, is the service up, service is up, load balancer'
  ),
  api(
    'webhook-route',
    'webhook, receive webhook, hmac signature, verify signature, signed events, stripe events, github events, payment notifications, callback, signature, incoming events, payment provider'
  ),
  api(
    'rate-limit-route',
    'rate limit, rate limit middleware, throttle requests, too many requests, limit requests, 429, limit each client, too often, requests per minute, stop abuse, per ip, block clients, brute force'
  ),

  content(
    'landing-page',
    'landing page, landing page copy, website copy, home page, homepage copy, hero text, sales page, front page, startup website, website text, text for website, tagline, slogan, headline website, text for our site'
  ),
  content(
    'product-description',
    'product description, describe product, product text, shop text, product page, online shop, product listing, ecommerce, headphones, product, for our shop, amazon listing, catalogue text, catalog entry'
  ),
  content(
    'blog-post',
    'blog, blog post, blog outline, article, article outline, outline, essay, write about, story about, tutorial, how to article, opinion piece, post on our blog'
  ),
  content(
    'newsletter',
    'newsletter, email newsletter, monthly email, mailing, email campaign, mailing list, monthly update, news to subscribers, subscribers, weekly news, monthly update, news for members'
  ),
  content(
    'release-notes',
    'release notes, changelog, change log, what is new, version notes, release announcement, release, what changed, changes in version, new version, update notes, version'
  ),
  content(
    'faq',
    'faq, frequently asked questions, questions and answers, q a, help page, common questions, common questions, questions customers ask, customers ask, help center, help centre, answers to questions'
  ),
  content(
    'readme',
    'readme, project documentation, documentation for repository, read me, open source project, repository, github project, describe our library, project description, how to install, npm package'
  ),
  content(
    'social-post',
    'social post, linked in, linked in post, social media, linkedin, tweet, linkedin post, facebook, instagram, mastodon, x post, hashtags, social, twitter, announce on twitter, announce on linkedin, threads, post about, hashtags, short post'
  ),
  content(
    'press-release',
    'press release, press, announcement, media release, press statement, journalists, newspapers, media statement, news agency, newsroom, for the press, funding round'
  ),
  content(
    'job-posting',
    'job, job posting, job ad, job description, vacancy, hiring, open position, recruit, we are looking for, looking for developer, hire, candidates, vacancy, wanted developer'
  ),
  content(
    'email',
    'email, mail, business email, reply to, write to customer, letter, apology, follow up email, reschedule meeting, message to, apologize, apologise, apology, late delivery, thank you note, invite to, invitation, reminder, decline offer, write to client, write to boss, message to customer'
  ),
  content(
    'about-page',
    'about, about us, about page, company story, who we are, mission statement, team page, company profile, our company, who we are, our team, introduce our company, our story, history of company, our values'
  )
]
