package dev.leasehold.springdata;

import dev.leasehold.tck.AnswerContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataAnswerContractIT extends AnswerContract {}
