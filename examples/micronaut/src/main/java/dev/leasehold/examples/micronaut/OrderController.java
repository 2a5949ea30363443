package dev.leasehold.examples.micronaut;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

/** {@code POST /orders/7/payment} pays order 7, and answers with the fencing token. */
@Controller("/orders")
class OrderController {

    private final Payments payments;

    OrderController(Payments payments) {
        this.payments = payments;
    }

    @Post("/{id}/payment")
    @ExecuteOn(TaskExecutors.BLOCKING)
    long pay(String id) {
        return payments.pay(new Order(id));
    }
}
