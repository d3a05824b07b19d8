// SPDX-License-Identifier: Apache-2.0
//
// beat_crossing under traffic while either side is reset, alone or both, at random times, and the s side's clock may stop meanwhile.
// Every access has a number. The m side may carry each out once and in order; an answer belongs to its access: carried out, with its data,
// or an error after a reset of the m side, after which it is not carried out any more. An access that nobody reset is carried out and answered,
// and one that the m side has begun stays until it is done.
//   +accesses=N  +s_ps=N +m_ps=N half periods  +s_resets=0|1 +m_resets=0|1
module beat_crossing_tb;
  import board_types::*;
  int accesses = 3000, s_ps = 2000, m_ps = 10000, s_resets = 1, m_resets = 1;
  logic s_clock = 0, m_clock = 0, s_reset = 0, m_reset = 0, s_stands = 0;
  beat_request_t s_request = '0, m_request;
  beat_response_t s_response, m_response = '0;
  beat_crossing dut (.*);
  initial forever #(s_ps) if (!s_stands) s_clock = !s_clock;
  initial forever #(m_ps) m_clock = !m_clock;

  // As reset_sync: at once, and for four edges after its cause is gone
  logic s_cause = 1, m_cause = 1;
  logic [3:0] s_stages = '1, m_stages = '1;
  always_ff @(posedge s_clock or posedge s_cause) s_stages <= s_cause ? '1 : {s_stages[2:0], 1'b0};
  always_ff @(posedge m_clock or posedge m_cause) m_stages <= m_cause ? '1 : {m_stages[2:0], 1'b0};
  assign {s_reset, m_reset} = {s_stages[3], m_stages[3]};

  int carried_out = -1, wait_cycles = 0;  // the last access that was carried out
  int m_losses = 0, errors = 0, cut = 0;
  int last_error = -1;
  logic begun = 0;
  always @(posedge m_clock) begin
    begun <= !m_reset && m_request.valid && !m_response.done;
    if (begun && !m_reset && !m_request.valid) $fatal(1, "an access is withdrawn");
    m_response.done <= 1'b0;
    if (m_reset) wait_cycles <= 0;
    else if (m_request.valid && !m_response.done) begin
      if (wait_cycles != 0) wait_cycles <= wait_cycles - 1;
      else begin
        if (int'(m_request.data[31:0]) <= carried_out) $fatal(1, "access %0d again, after %0d", m_request.data[31:0], carried_out);
        if (int'(m_request.data[31:0]) <= last_error) $fatal(1, "access %0d after its error", m_request.data[31:0]);
        carried_out <= int'(m_request.data[31:0]);
        m_response <= '{done: 1'b1, error: 1'b0, data: 256'(m_request.data[31:0])};
        wait_cycles <= $urandom_range(12);
      end
    end
  end
  always @(posedge m_cause) m_losses++;
  // The s side learns of a reset of the m side a few of its own cycles later.
  int losses_known[8] = '{default: 0};
  always @(posedge s_clock) begin
    for (int i = 7; i > 0; i--) losses_known[i] <= losses_known[i-1];
    losses_known[0] <= m_reset ? m_losses - 1 : m_losses;
  end

  int number = 0, losses_before;
  initial begin
    void'($value$plusargs("accesses=%d", accesses));
    void'($value$plusargs("s_ps=%d", s_ps));
    void'($value$plusargs("m_ps=%d", m_ps));
    void'($value$plusargs("s_resets=%d", s_resets));
    void'($value$plusargs("m_resets=%d", m_resets));
    #100000 s_cause = 0;
    m_cause = 0;
    while (number < accesses) begin
      @(posedge s_clock);
      if (!s_reset && $urandom_range(3) != 0) begin
        losses_before = losses_known[7];
        s_request <= '{valid: 1'b1, write: 1'b1, addr: '0, size: 3'd3, data: 256'(number), strobes: '1};
        do @(posedge s_clock); while (!s_response.done && !s_reset);
        s_request.valid <= 1'b0;
        if (s_reset) cut++;
        else if (s_response.error) begin
          errors++;
          last_error = number;
          if (m_losses == losses_before) $fatal(1, "access %0d is answered with an error without a reset", number);
        end else if (s_response.data[31:0] != 32'(number)) $fatal(1, "access %0d gets the answer of %0d", number, s_response.data[31:0]);
        else if (carried_out < number) $fatal(1, "access %0d is answered, %0d was the last one carried out", number, carried_out);
        number++;
      end
    end
    if (s_resets != 0 && cut == 0) $fatal(1, "no access was cut by a reset");
    if (m_resets != 0 && errors == 0) $fatal(1, "no access was lost");
    $display("PASS %0d accesses, %0d cut, %0d errors", number, cut, errors);
    $finish;
  end
  initial #(64'd1_000_000_000_000) $fatal(1, "hangs at access %0d", number);

  initial begin
    #500000;
    forever begin
      #($urandom_range(2_000_000));
      if (s_resets != 0) begin
        s_cause = 1;
        if ($urandom_range(1) != 0) begin
          #($urandom_range(20000)) s_stands = 1;
          #($urandom_range(1_000_000)) s_stands = 0;
        end
        #($urandom_range(200000)) s_cause = 0;
      end
    end
  end
  initial begin
    #500000;
    forever begin
      #($urandom_range(3_000_000));
      if (m_resets != 0) begin
        m_cause = 1;
        #($urandom_range(300000)) m_cause = 0;
      end
    end
  end
endmodule
