package dev.leasehold.lettuce;

import dev.leasehold.tck.AnswerContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceAnswerContractIT extends AnswerContract {}
